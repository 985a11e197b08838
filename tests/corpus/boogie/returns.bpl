//# expect: unsafe 5
//# flags: --modular expect: unsafe 13
// In the modular reading a postcondition is an obligation of each place where the procedure returns.
// What is said of the loop allows `r == 0` at the end: not proved, but no violation.
procedure p(n: int) returns (r: int)
  requires n >= 0;
  ensures r > 0;
{
  r := n;
  if (n > 5) { return; }
  if (n == 3) {
    r := -1;
    return;
  }
  while (r > 1)
    invariant r >= 0;
  { r := r - 1; }
  if (r == 1) { return; }
}

implementation p(m: int) returns (s: int)
{
  s := m + 1;
}
