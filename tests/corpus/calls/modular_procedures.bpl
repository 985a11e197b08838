//# expect: safe
//# flags: --modular expect: unknown(contract-too-weak)
procedure helper(x: int) returns (y: int)
  ensures y >= x;
{
  y := x;
}

procedure main()
{
  var y: int;
  call y := helper(3);
  assert y == 3;
}
