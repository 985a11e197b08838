// A trick.

procedure abs(x: int) returns (y: int)
  ensures y == x;
{
  assume x >= 0;
  y := x;
  if (y < 0) {
    y := -y;
  }
}

procedure distance(a: int, b: int)
{
  var d, e: int;
  call d := abs(a - b);
  call e := abs(b - a);
  assert d == e;
}
