//# expect: unsafe
//# flags: --calls once
// The contracts say nothing: the runs are found by inlining.
procedure even(n: int) returns (r: bool)
{
  if (n == 0) { r := true; } else { call r := odd(n - 1); }
}

procedure odd(n: int) returns (r: bool)
{
  if (n == 0) { r := false; } else { call r := even(n - 1); }
}

procedure main()
{
  var r: bool;
  call r := even(2);
  assert r;
  assert !r; // FAILS
}
