//# expect: unsafe
//# flags: --engine slicing expect: unknown(unsupported)
// The contract says nothing about calls whose precondition nobody checked.
procedure down(n: int) returns (r: int)
  requires n > 0;
  ensures r == 1; // FAILS
{
  r := n;
  if (n > 1) { call r := down(n - 1); }
}

procedure main()
{
  var r: int;
  free call r := down(0);
  assert r == 1;
}
