//# expect: unsafe
//# flags: --modular expect: safe
// In the whole program the body runs with what it is given.
procedure half(x: int where x >= 0) returns (r: int)
{
  r := x div 2;
  assert r >= 0;   // FAILS
}

procedure main()
{
  var r: int;
  call r := half(0 - 8);
}
