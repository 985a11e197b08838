// Exercise: the precondition of a branch. Replace `true` by the weakest precondition. Each branch has one of its
// own; what joins them?

procedure branch(x: int) returns (y: int)
  requires true;
{
  if (x > 0) {
    y := x - 3;
  } else {
    y := -x;
  }
  assert y >= 2;
}
