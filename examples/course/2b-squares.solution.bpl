//# expect: safe
//# flags: --modular
// Solution of exercise 2b. Three facts are needed: what `odd` is, what `s` is, and that `i` does not get past `n`.

procedure squares(n: int) returns (s: int)
  requires n >= 0;
{
  var i, odd: int;
  i, odd, s := 0, 1, 0;
  while (i < n)
    invariant odd == 2 * i + 1;
    invariant s == i * i;
    invariant i <= n;
  {
    s := s + odd;
    odd := odd + 2;
    i := i + 1;
  }
  assert s == n * n;
}
