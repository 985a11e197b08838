//# expect: safe
// What is known of `a` goes through `f`, `g` and `h`.
const a, b: int;
function f(int): int;
function g(int): int;
function h(int): int;
axiom f(a) == g(b);
axiom (forall i: int :: {g(i)} g(i) == h(i));
axiom (forall i: int :: {h(i)} h(i) > 7);

procedure p()
{
  assert f(a) > 5;
}
