// A solution: the counterexample to induction has a negative x, and no run has one.

procedure grow()
{
  var x, y: int;
  x, y := 0, 1;
  while (*)
    invariant y >= 1;
    invariant x >= 0;
  {
    x, y := x + 1, y + x;
  }
  assert y >= 1;
}
