// A trick.

procedure max3(a: int, b: int, c: int) returns (m: int)
{
  m := a;
  if (b > m) {
    m := b;
  }
  if (c > m) {
    m := c;
  }
  assert m >= a;
  assert m >= a;
  assert m >= c;
  assert m == a || m == b || m == c;
}
