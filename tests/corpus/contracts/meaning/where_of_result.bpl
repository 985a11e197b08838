//# expect: unsafe
// The clause of an out-parameter holds where the body starts, and `where` of the variable that takes the result says nothing.
procedure give(x: int) returns (r: int where r > 10)
{
  assert r > 10;
  r := x;
}

procedure main()
{
  var y: int where y > 3;
  call y := give(1);
  assert y == 1;
  assert y > 3;   // FAILS
}
