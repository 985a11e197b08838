// A trick.

procedure grow()
{
  var x, y: int;
  x, y := 0, 1;
  while (*)
  {
    x, y := x + 1, y + x;
  }
}
