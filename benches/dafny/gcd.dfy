// The greatest common divisor by subtraction ends, and is positive.
function Gcd(a: int, b: int): int
  requires a > 0 && b > 0
  decreases a + b
{
  if a == b then a else if a > b then Gcd(a - b, b) else Gcd(a, b - a)
}
lemma Symmetric(a: int, b: int)
  requires a > 0 && b > 0
  ensures Gcd(a, b) == Gcd(b, a)
  decreases a + b
{
  if a > b { Symmetric(a - b, b); } else if a < b { Symmetric(a, b - a); }
}
method Compute(x: int, y: int) returns (d: int)
  requires x > 0 && y > 0
  ensures d == Gcd(x, y)
{
  var a, b := x, y;
  while a != b
    invariant a > 0 && b > 0 && Gcd(a, b) == Gcd(x, y)
    decreases a + b
  {
    if a > b { a := a - b; } else { b := b - a; }
  }
  d := a;
}
