//# expect: unsafe
// A violation of one assertion does not keep the other from being proved.
procedure twice(n: int) returns (r: int)
{
  if (n <= 0) { r := 0; } else { call r := twice(n - 1); r := r + 2; }
}

procedure main(n: int)
{
  var r: int;
  call r := twice(n);
  assert r >= 0;
  assert r != 4; // FAILS
}
