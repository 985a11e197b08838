// Exercise: the strongest postcondition. Replace `true` by a postcondition that says exactly what `a` and `b` are
// at the end.
//
// How it is checked: `ult check --modular`.

procedure post(x: int, y: int) returns (a: int, b: int)
  ensures true;
{
  a := x + y;
  b := a - x;
  a := a - b;
}
