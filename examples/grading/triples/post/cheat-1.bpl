// A trick.

procedure post(x: int, y: int) returns (a: int, b: int)
  free ensures true;
{
  a := x + y;
  b := a - x;
  a := a - b;
}
