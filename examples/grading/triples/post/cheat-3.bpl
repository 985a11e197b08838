// A trick.

procedure post(x: int, y: int) returns (a: int, b: int)
  ensures a == x && b == y;
{
  a := x + y;
  b := a - x;
  a := a - b;
  a := x;
}
