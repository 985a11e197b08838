// A solution: in the second half of the loop x and y are equal. Both bounds of x are needed, too: below 50, y
// would stay behind, and above 100 it would be too large.

function first(x: int, y: int) returns (bool) { x <= 50 && y == 50 }

function second(x: int, y: int) returns (bool) { 50 <= x && x <= 100 && x == y }

procedure start_to_C()
{
  var x, y: int;
  x := 0;
  y := 50;
  assert first(x, y) || second(x, y);
}

procedure A_or_B_to_C()
{
  var x, y: int;
  assume first(x, y) || second(x, y);
  assume x < 100;
  if (x >= 50) {
    y := y + 1;
  }
  x := x + 1;
  assert first(x, y) || second(x, y);
}

procedure A_or_B_to_error()
{
  var x, y: int;
  assume first(x, y) || second(x, y);
  assume x >= 100;
  assert y == 100;
}
