//# expect: unsafe
//# flags: --modular expect: unknown(contract-too-weak)
// The body breaks what its contract promises for free, and no trace of this reading does that.
procedure give() returns (r: int, s: int)
  free ensures r == 2;
{
  r, s := 1, 1;
}

procedure main()
{
  var r, s: int;
  call r, s := give();
  assert s == 1 && r == 2;   // FAILS
}
