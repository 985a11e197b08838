// A trick.

procedure max3(a: int, b: int, c: int) returns (m: int)
{
  m := a;
  return;
  assert m >= a;
  assert m >= b;
  assert m >= c;
  assert m == a || m == b || m == c;
}
