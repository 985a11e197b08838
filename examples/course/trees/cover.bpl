// Exercise: two branches, one label. For the program
//
//     x := 0; y := 9;  while (y > 0) { if (*) { x := x + 1; y := y - 1; } else { x := x + 3; y := y - 3; } }  assert x >= 9;
//
// all nodes of the tree at the loop's head are to have the same label. Find it.

function L(x: int, y: int) returns (bool) { x >= 0 }

procedure root()
{
  var x, y: int;
  x, y := 0, 9;
  assert L(x, y);
}

procedure round(a: int, b: int)
{
  var x, y: int;
  x, y := a, b;
  assume L(x, y) && y > 0;
  if (*) {
    x, y := x + 1, y - 1;
  } else {
    x, y := x + 3, y - 3;
  }
  assert L(x, y);
}

procedure error(x: int, y: int)
{
  assume L(x, y) && y <= 0;
  assert x >= 9;
}
