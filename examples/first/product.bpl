//# expect: safe
// A product by counting: each round of the outer loop adds b to p, one by one.

procedure product(a: int, b: int) returns (p: int)
  requires a >= 0 && b >= 0;
  ensures p == a * b;
{
  var i, j: int;

  i, p := 0, 0;
  while (i < a) {
    j := 0;
    while (j < b) {
      p := p + 1;
      j := j + 1;
    }
    i := i + 1;
  }
}
