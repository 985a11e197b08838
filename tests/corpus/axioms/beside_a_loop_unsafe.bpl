//# expect: unsafe
// A run says nothing of `g` and `early`, and there are such functions and numbers.
function g(int): int;
axiom (forall i: int :: {g(i)} g(i) > i);
const early: int;
axiom early == 3;

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
  assert s != 6;                  // FAILS
}
