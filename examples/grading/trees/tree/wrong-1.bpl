// A typical mistake.

function A(x: int, y: int) returns (bool) { true }

function B(x: int, y: int) returns (bool) { x == 1 && y == 2 }

procedure root_to_A()
{
  var x, y: int;
  x := 0;
  y := 0;
  assert A(x, y);
}

procedure A_to_B(n: int)
{
  var x, y: int;
  assume A(x, y);
  assume x < n;
  x := x + 1;
  y := y + 2;
  assert B(x, y);
}

procedure A_to_error(n: int)
{
  var x, y: int;
  assume A(x, y);
  assume x >= n;
  assert y == 2 * x;
}

procedure B_is_covered_by_A(x: int, y: int)
{
  assert B(x, y) ==> A(x, y);
}
