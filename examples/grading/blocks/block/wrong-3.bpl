// A typical mistake.

function block(x: int, y: int, x': int, y': int) returns (bool)
{
  (x < y && x' == 2 * x + 1 && y' == y)
  || (x >= y && x' == 2 * x && y' == y - x)
}

procedure {:inline 1} statements(x: int, y: int) returns (x': int, y': int)
{
  x', y' := x, y;
  if (x' < y') {
    x' := x' + 1;
  } else {
    y' := y' - x';
  }
  x' := 2 * x';
}

procedure nothing_is_missing(x: int, y: int)
{
  var x', y': int;
  call x', y' := statements(x, y);
  assert block(x, y, x', y');
}

procedure nothing_is_too_much(x: int, y: int)
{
  var a, b, x', y': int;
  assume block(x, y, x', y');
  call a, b := statements(x, y);
  assert a == x' && b == y';
}
