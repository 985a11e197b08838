// Exercise: the largest of three. `m` should be the largest of the three numbers. Find out for which numbers it is
// not, and mend the procedure. Leave the assertions as they are.

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
