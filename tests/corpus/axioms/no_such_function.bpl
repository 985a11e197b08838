//# expect: unknown(run-rejected)
//# limit: 10
// For negative numbers there is no such function: the axiom is contradictory, and no run is one under it.
function f(n: int): int { if n >= 0 then (if n == 0 then 0 else 1 + f(n - 1)) else f(n) + 1 }
function g(n: int): int;
axiom (forall n: int :: {g(n)} g(n) == f(n));

procedure main()
{
  var i: int;
  assert i != 3;
}
