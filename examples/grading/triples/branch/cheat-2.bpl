// A trick.

procedure branch(x: int) returns (y: int)
  requires (x > 0 ==> x - 3 >= 2) && (x <= 0 ==> -x >= 2);
{
  if (x > 0) {
    y := x + 3;
  } else {
    y := -x;
  }
  assert y >= 2;
}
