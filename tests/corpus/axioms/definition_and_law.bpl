//# expect: unknown(run-rejected)
//# limit: 10
// The definition alone has a meaning, and the law besides contradicts it, for a number that is large.
function sum(n: int): int { if n <= 0 then 0 else n + sum(n - 1) }
axiom (forall n: int :: n >= 3 ==> sum(n) != 10);

procedure main()
{
  var i: int;
  assert i != 3;
}
