//# expect: unsafe 8 14
//# flags: --modular expect: unsafe 8
// The caller is not to blame for a trace on which its callee breaks the contract.
procedure give() returns (r: int, s: int)
  ensures r == 2;
{
  r, s := 1, 1;
}

procedure main()
{
  var r, s: int;
  call r, s := give();
  assert s == 1 && r == 2;
}
