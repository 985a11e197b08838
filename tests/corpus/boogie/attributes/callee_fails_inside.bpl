//# expect: unsafe
//# flags: --modular expect: unsafe 6
// Nor for one that fails in the callee.
procedure give(n: int) returns (r: int)
{
  assert n != 0;             // FAILS
  r := n;
}

procedure main()
{
  var r: int;
  call r := give(0);
  assert r != 0;
}
