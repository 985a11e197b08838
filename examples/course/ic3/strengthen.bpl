// Exercise: what is missing. `y >= 1` holds, but a round does not keep it alone. Add what it needs.
//
// How it is checked: `ult check --modular`.

procedure grow()
{
  var x, y: int;
  x, y := 0, 1;
  while (*)
    invariant y >= 1;
  {
    x, y := x + 1, y + x;
  }
  assert y >= 1;
}
