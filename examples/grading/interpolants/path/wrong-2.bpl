// A typical mistake.

function I1(x: int, y: int) returns (bool) { x == 0 && y == 0 }

function I2(x: int, y: int) returns (bool) { true }

procedure step1()
{
  var x, y: int;
  x := 0;
  y := 0;
  assert I1(x, y);
}

procedure step2(n: int)
{
  var x, y: int;
  assume I1(x, y);
  assume x < n;
  x := x + 1;
  y := y + 1;
  assert I2(x, y);
}

procedure step3(n: int)
{
  var x, y: int;
  assume I2(x, y);
  assume x >= n;
  assert y == x;
}
