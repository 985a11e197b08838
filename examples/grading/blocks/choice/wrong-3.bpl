// A typical mistake.

function block(x: int, y: int, x': int, y': int) returns (bool)
{
  (x' == x + 1 && y' == y) || x' == x
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
