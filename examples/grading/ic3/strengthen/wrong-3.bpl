// A typical mistake.

procedure grow()
{
  var x, y: int;
  x, y := 0, 1;
  while (*)
    invariant y >= 1;
    invariant x >= 1;
  {
    x, y := x + 1, y + x;
  }
  assert y >= 1;
}
