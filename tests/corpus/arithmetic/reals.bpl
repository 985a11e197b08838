//# expect: safe
procedure p(x: real)
  requires 0.0 < x && x < 1.0;
{
  var y: real;
  y := x / 2.0;
  assert y + y == x;
  assert x * x < x;
  assert real(3) / 2.0 == 1.5;
  assert int(2.5) == 2;
}
