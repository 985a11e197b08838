//# expect: safe
//# flags: --calls once
procedure double(n: int) returns (r: int)
  requires n >= 0;
  ensures r == n + n;
{
  if (n == 0) {
    r := 0;
  } else {
    call r := double(n - 1);
    r := r + 2;
  }
}

procedure main()
{
  var r: int;
  call r := double(1000000);
  assert r == 2000000;
}
