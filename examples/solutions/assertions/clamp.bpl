// A solution: one case for each side.

procedure clamp(x: int, low: int, high: int) returns (y: int)
  requires low <= high;
  ensures low <= y && y <= high;
  ensures low <= x && x <= high ==> y == x;
{
  y := x;
  if (y < low) {
    y := low;
  }
  if (y > high) {
    y := high;
  }
}
