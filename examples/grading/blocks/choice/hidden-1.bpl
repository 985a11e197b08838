// Put together with what a student hands in: see `ult grade`.

procedure hidden_1(x: int, y: int, x': int, y': int)
{
  assume block(x, y, x', y');
  assert (x' == x + 1 && y' == y) || (x' == x && y' > x);
}
