//# expect: unsafe
//# flags: --modular expect: safe
// Also where the call is not inlined.
procedure lies(n: int) returns (r: int)
  free ensures r > n;
{
  r := n;
  if (n > 3) { call r := lies(n - 1); }
}

procedure main()
{
  var r: int;
  call r := lies(2);
  assert r > 2;   // FAILS
}
