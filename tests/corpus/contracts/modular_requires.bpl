//# expect: safe
//# flags: --modular
procedure q(x: int) returns (y: int)
  requires x != 0;
  ensures y * x >= 0;
{
  y := x;
}

procedure p()
{
  var y: int;
  call y := q(-3);
  assert y <= 0;
}
