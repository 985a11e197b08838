//# expect: unsafe
//# flags: --modular expect: unknown(contract-too-weak)
// After the call the result is taken for what its `where` clause says.
procedure give() returns (r: int where r > 1, s: int)
{
  r, s := 0, 1;
}

procedure main()
{
  var r, s: int;
  call r, s := give();
  assert s == 1 && r > 0;   // FAILS
}
