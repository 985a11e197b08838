// A trick.

procedure gauss(n: int) returns (s: int)
  requires n >= 0;
{
  var i: int;
  s, i := 0, 0;
  while (i < n)
  {
    i := i + 1;
    s := s + i;
  }
  if (false) {
  }
  assert 2 * s == n * (n + 1);
}
