//# expect: safe
// Multiplication by counting: one loop inside of another one. The invariants are written down: a product of two
// variables that nobody computes is hard to guess.

procedure product(a: int, b: int) returns (p: int)
  requires a >= 0 && b >= 0;
  ensures p == a * b;
{
  var i, j: int;
  p, i := 0, 0;
  while (i < a)
    invariant p == i * b && i <= a;
  {
    j := 0;
    while (j < b)
      invariant p == i * b + j && j <= b && i < a;
    {
      p := p + 1;
      j := j + 1;
    }
    i := i + 1;
  }
}
