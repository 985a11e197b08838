//# expect: safe
// An axiom speaks about them: they matter, also where only the constant is mentioned.
function f(n: int): int { if n <= 0 then 0 else 1 + g(n - 1) }
function g(n: int): int { if n <= 0 then 0 else 1 + f(n - 1) }
const k: int;
axiom k == f(2);

procedure main()
{
  assert k == 2;
}
