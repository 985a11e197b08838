// A typical mistake.

procedure max3(a: int, b: int, c: int) returns (m: int)
{
  m := a;
  if (b > a) {
    m := b;
  }
  if (c > a) {
    m := c;
  }
  assert m >= a;
  assert m >= b;
  assert m >= c;
  assert m == a || m == b || m == c;
}
