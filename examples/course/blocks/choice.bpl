// Exercise: a block with a choice. Write the transition formula of the statements in the procedure. A formula may
// allow several values after the step.

function block(x: int, y: int, x': int, y': int) returns (bool)
{
  x' == x + 1 && y' == y
}

procedure nothing_is_missing(x: int, y: int)
{
  var x', y': int;
  x', y' := x, y;
  if (*) {
    x' := x' + 1;
  } else {
    havoc y';
    assume y' > x';
  }
  assert block(x, y, x', y');
}
