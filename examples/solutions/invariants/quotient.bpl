// A solution: `r` may be zero, before the loop (if `a` is) and behind it.

procedure divide(a: int, b: int) returns (q: int, r: int)
  requires a >= 0 && b > 0;
  ensures a == q * b + r;
  ensures 0 <= r && r < b;
{
  q := 0;
  r := a;
  while (r >= b)
    invariant a == q * b + r;
    invariant r >= 0;
  {
    r := r - b;
    q := q + 1;
  }
}
