//# expect: unsafe 9
//# flags: --calls contract
// The proof of the assertion in main uses a contract that is not kept, so it does not count; the
// report is about the contract alone.
procedure one() returns (r: int)
  ensures r == 1;
{
  r := 2;
}

procedure main()
{
  var r: int;
  call r := one();
  assert r >= 1;
}
