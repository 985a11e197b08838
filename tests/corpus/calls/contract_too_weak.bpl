//# expect: safe
//# flags: --calls contract expect: unknown(contract-too-weak)
procedure inc(x: int) returns (y: int)
  ensures y > x;
{
  y := x + 1;
}

procedure main()
{
  var y: int;
  call y := inc(1);
  assert y == 2;
}
