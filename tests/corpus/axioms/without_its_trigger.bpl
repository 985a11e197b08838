//# expect: safe
// The trigger is about `h` only, but the axiom says something about `f`.
function f(int): int;
function h(int): int;
axiom (forall i: int :: {h(i)} f(i) >= 0 && h(i) > 0);

procedure p(n: int)
{
  assert f(n) >= 0;
}
