//# expect: unsafe
//# flags: --engine slicing expect: unknown(unsupported)
// The recursive procedure keeps its contract for positive numbers only, and is called with another one.
procedure fall(n: int where n > 0) returns (r: int)
  ensures r > 0; // FAILS
{
  r := n;
  if (n > 5) { call r := fall(n - 1); }
}

procedure main()
{
  var r: int;
  call r := fall(0);
  assert r > 0;
}
