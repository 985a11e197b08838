//# expect: safe
procedure p(n: int) returns (i: int)
  requires n >= 0;
{
  i := 0;
  outer: while (true) {
    while (*) {
      if (i >= n) { break outer; }
      i := i + 1;
    }
    if (i >= n) { break; }
    i := i + 1;
  }
  assert i >= n;
}
