//# expect: unsafe
// As gauss.bpl, but the number is added before it grows.

procedure gauss(n: int) returns (s: int)
  requires n >= 0;
  ensures 2 * s == n * (n + 1);
{
  var i: int;

  i, s := 0, 0;
  while (i < n) {
    s := s + i;
    i := i + 1;
  }
} // FAILS
