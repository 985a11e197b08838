// A trick.

procedure branch(x: int) returns (y: int)
  requires false;
{
  if (x > 0) {
    y := x - 3;
  } else {
    y := -x;
  }
  assert y >= 2;
}
