// Exercise: a block as one formula. The procedure `statements` has three statements. Write down in `block` the
// transition formula of all of them together: x and y are the values before, x' and y' those after.
//
// The second procedure checks that each step of the statements is a step of the formula, the third one that the
// formula has no other steps.

function block(x: int, y: int, x': int, y': int) returns (bool)
{
  x' == 2 * (x + 1) && y' == y
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
