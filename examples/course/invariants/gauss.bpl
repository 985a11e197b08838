// Exercise: the sum of numbers. Write the invariants of the loop.
//
// How it is checked: `ult check --modular`.

procedure gauss(n: int) returns (s: int)
  requires n >= 0;
{
  var i: int;
  s, i := 0, 0;
  while (i < n)
    // invariant ...;
  {
    i := i + 1;
    s := s + i;
  }
  assert 2 * s == n * (n + 1);
}
