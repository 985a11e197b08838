//# expect: unsafe
// The violation is many calls deep, and before it something is chosen that matters to another assertion.
procedure count(n: int) returns (r: int)
{
  if (n <= 0) {
    r := 0;
  } else {
    call r := count(n - 1);
    r := r + 1;
  }
}

procedure {:entrypoint} main()
{
  var r: int, any: int;
  call r := count(300);
  assert r == 299; // FAILS
  call r := count(any);
  assert r >= 0;
}
