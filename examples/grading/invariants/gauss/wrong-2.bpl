// A typical mistake.

procedure gauss(n: int) returns (s: int)
  requires n >= 0;
{
  var i: int;
  s, i := 0, 0;
  while (i < n)
    invariant 2 * s == i * (i + 1);
  {
    i := i + 1;
    s := s + i;
  }
  assert 2 * s == n * (n + 1);
}
