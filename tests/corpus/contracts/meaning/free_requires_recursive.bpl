//# expect: unsafe
//# flags: --engine slicing expect: unknown(unsupported)
// Nothing is known about the recursive procedure where its free precondition does not hold.
procedure climb(n: int) returns (r: int)
  free requires n >= 0;
  ensures r >= 0; // FAILS
{
  r := n;
  if (n > 10) { call r := climb(n - 1); }
}

procedure main()
{
  var r: int;
  call r := climb(0 - 4);
  assert r >= 0;
}
