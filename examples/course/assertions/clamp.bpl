// Exercise: between two bounds. `clamp` should give the number between `low` and `high` that is nearest to `x`.
// Write its body; the contract stays.

procedure clamp(x: int, low: int, high: int) returns (y: int)
  requires low <= high;
  ensures low <= y && y <= high;
  ensures low <= x && x <= high ==> y == x;
{
  y := x;
}
