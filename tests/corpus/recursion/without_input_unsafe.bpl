//# expect: unsafe
// Two procedures that call each other, and a map that both write.
var a: [int]int;

procedure even(n: int) returns (r: bool)
  modifies a;
{
  a[n] := a[n + 1] + 1;
  if (n == 0) { r := true; } else { call r := odd(n - 1); }
}

procedure odd(n: int) returns (r: bool)
  modifies a;
{
  a[n] := a[n + 1] + 2;
  if (n == 0) { r := false; } else { call r := even(n - 1); }
}

procedure {:entrypoint} main()
  modifies a;
{
  var r: bool;
  a[32] := 0;
  call r := even(31);
  assert !r;
  assert a[0] == 49; // FAILS
}
