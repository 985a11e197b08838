// A trick.

function I(x: int, y: int) returns (bool) { true }

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
  assume x >= n && x == y;
  assert y == x;
}
