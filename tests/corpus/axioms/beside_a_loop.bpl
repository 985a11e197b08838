//# expect: safe
// The axiom has nothing to do with the loop.
function g(int): int;
axiom (forall i: int :: {g(i)} g(i) > i);

procedure p(n: int)
  requires n >= 0;
{
  var i, s: int;
  i := 0;
  s := 0;
  while (i < n) {
    i := i + 1;
    s := s + 2;
  }
  assert s == 2 * i;
  assert i == n;
}
