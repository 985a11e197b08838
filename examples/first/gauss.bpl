//# expect: safe
// Gauss' sum: 1 + 2 + ... + n is n * (n + 1) / 2.

procedure gauss(n: int) returns (s: int)
  requires n >= 0;
  ensures 2 * s == n * (n + 1);
{
  var i: int;

  i, s := 0, 0;
  while (i < n) {
    i := i + 1;
    s := s + i;
  }
}
