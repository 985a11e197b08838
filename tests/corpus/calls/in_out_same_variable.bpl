//# expect: safe
//# flags: --calls once
procedure inc(x: int) returns (y: int)
{
  y := x + 1;
}

procedure main(a: int)
{
  var b: int;
  b := a;
  call b := inc(b);
  call b := inc(b);
  assert b == a + 2;
}
