// A typical mistake.

procedure assign(x: int, y: int) returns (z: int)
  requires x + 2 * y > 10;
{
  z := x + 2 * y;
  z := z - 1;
  assert z > 10;
}
