// Division with remainder by subtraction.
method Divide(n: nat, d: nat) returns (q: nat, r: nat)
  requires d > 0
  ensures n == q * d + r && r < d
{
  q, r := 0, n;
  while r >= d
    invariant n == q * d + r
  {
    r := r - d;
    q := q + 1;
  }
}
method Triple(x: int) returns (r: int)
  ensures r == 3 * x
{
  if * { r := x + 2 * x; } else { var y := 2 * x; r := y + x; }
}
