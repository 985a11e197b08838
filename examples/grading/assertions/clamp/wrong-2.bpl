// A typical mistake.

procedure clamp(x: int, low: int, high: int) returns (y: int)
  requires low <= high;
  ensures low <= y && y <= high;
  ensures low <= x && x <= high ==> y == x;
{
  y := low;
}
