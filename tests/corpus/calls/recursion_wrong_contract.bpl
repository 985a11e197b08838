//# expect: unsafe
procedure down(n: int) returns (r: int)
  ensures r == 0;
{
  if (n <= 0) {
    r := n;
  } else {
    call r := down(n - 1);
  }
} // FAILS
