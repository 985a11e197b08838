//# expect: unsafe
// What is chosen comes behind the calls, which end in one way only.
procedure half(n: int) returns (r: int)
{
  if (n <= 1) { r := 0; } else { call r := half(n - 2); r := r + 1; }
}

procedure {:entrypoint} main(x: int)
{
  var h: int;
  call h := half(40);
  assert h == 20;
  if (x > 1000) {
    assert h + x != 2020; // FAILS
  }
}
