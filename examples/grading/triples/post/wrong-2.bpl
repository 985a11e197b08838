// A typical mistake.

procedure post(x: int, y: int) returns (a: int, b: int)
  ensures a + b == x + y;
{
  a := x + y;
  b := a - x;
  a := a - b;
}
