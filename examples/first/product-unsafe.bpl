//# expect: unsafe
// As product.bpl, but the inner loop goes on where it ended.

procedure product(a: int, b: int) returns (p: int)
  requires a >= 0 && b >= 0;
  ensures p == a * b;
{
  var i, j: int;
  p, i, j := 0, 0, 0;
  while (i < a) {
    while (j < b) {
      p := p + 1;
      j := j + 1;
    }
    i := i + 1;
  }
} // FAILS
