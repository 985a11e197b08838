// A solution: z > 10 becomes z - 1 > 10 in front of the second statement, and (x + 2 * y) - 1 > 10 in front of the
// first.

procedure assign(x: int, y: int) returns (z: int)
  requires x + 2 * y > 11;
{
  z := x + 2 * y;
  z := z - 1;
  assert z > 10;
}
