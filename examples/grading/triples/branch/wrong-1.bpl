// A typical mistake.

procedure branch(x: int) returns (y: int)
  requires x >= 5 || x <= -1;
{
  if (x > 0) {
    y := x - 3;
  } else {
    y := -x;
  }
  assert y >= 2;
}
