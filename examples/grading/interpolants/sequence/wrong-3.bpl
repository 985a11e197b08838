// A typical mistake.

function I1(a: int, b: int) returns (bool) { a >= 1 }

function I2(a: int, c: int) returns (bool) { c >= 2 }

function I3(c: int) returns (bool) { c >= 4 }

procedure step1()
{
  var a, b: int;
  a := 1;
  b := a;
  assert I1(a, b);
}

procedure step2(a: int, b: int)
{
  var c: int;
  assume I1(a, b);
  c := a + b;
  assert I2(a, c);
}

procedure step3(x: int, y: int)
{
  var a, c: int;
  a, c := x, y;
  assume I2(a, c);
  c := c * 2;
  a := 0;
  assert I3(c);
}

procedure step4(c: int)
{
  assume I3(c);
  assert !(c < 4);
}
