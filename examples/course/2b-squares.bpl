//# expect: safe
//# flags: --modular expect: unsafe
// Exercise 2b. The sum of the first n odd numbers is n squared. Write invariants for the loop, so that
// `ult check --modular` proves the assertion.

procedure squares(n: int) returns (s: int)
  requires n >= 0;
{
  var i, odd: int;
  i, odd, s := 0, 1, 0;
  while (i < n)
    // invariant ...;
  {
    s := s + odd;
    odd := odd + 2;
    i := i + 1;
  }
  assert s == n * n; // FAILS
}
