// Exercise: an interpolant that is an invariant. The path of the exercise before again:
//
//     x := 0; y := 0;      assume x < n; x := x + 1; y := y + 1;      assume x >= n; assume y != x;
//
// This time use the same formula at both places. Then it is an invariant of the loop.

function I(x: int, y: int) returns (bool) { x == 0 && y == 0 }

procedure step1()
{
  var x, y: int;
  x := 0;
  y := 0;
  assert I(x, y);
}

procedure step2(n: int)
{
  var x, y: int;
  assume I(x, y);
  assume x < n;
  x := x + 1;
  y := y + 1;
  assert I(x, y);
}

procedure step3(n: int)
{
  var x, y: int;
  assume I(x, y);
  assume x >= n;
  assert y == x;
}
