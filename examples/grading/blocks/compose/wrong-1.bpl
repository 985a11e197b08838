// A typical mistake.

function first(x: int, y: int, x': int, y': int) returns (bool) { x' == x + y && y' == y }

function second(x: int, y: int, x': int, y': int) returns (bool) { x' == x && y' == x - y }

function both(x: int, y: int, x': int, y': int) returns (bool) { x' == x + y && y' == x - y }

procedure nothing_is_missing(x: int, y: int, u: int, v: int, x': int, y': int)
{
  assume first(x, y, u, v) && second(u, v, x', y');
  assert both(x, y, x', y');
}

procedure nothing_is_too_much(x: int, y: int, x': int, y': int)
{
  assume both(x, y, x', y');
  assert first(x, y, x + y, y) && second(x + y, y, x', y');
}
