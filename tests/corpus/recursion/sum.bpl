//# expect: safe
procedure sum(n: int) returns (r: int)
{
  if (n <= 0) {
    r := 0;
  } else {
    call r := sum(n - 1);
    r := r + n;
  }
}

procedure main(n: int)
{
  var r: int;
  call r := sum(n);
  assert r >= n;
  assert r >= 0;
}
