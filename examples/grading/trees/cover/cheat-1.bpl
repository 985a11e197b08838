// A trick.

function L(x: int, y: int) returns (bool) { false }

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
