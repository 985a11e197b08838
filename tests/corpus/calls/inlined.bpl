//# expect: unsafe
//# flags: --calls inline
//# flags: --calls once
procedure twice(x: int) returns (y: int)
{
  y := x + x;
}

procedure main(a: int)
{
  var b: int;
  call b := twice(a);
  call b := twice(b);
  assert b == 4 * a;
  assert b != 12; // FAILS
}
