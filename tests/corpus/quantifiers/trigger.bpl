//# expect: safe
function f(x: int) returns (int);
axiom (forall x: int :: {f(x)} f(x) >= x);

procedure p(y: int)
{
  assert f(y) + 1 > y;
}
