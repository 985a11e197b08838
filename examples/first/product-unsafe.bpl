//# expect: unsafe
// As product.bpl, but the inner loop goes once too often.

procedure product(a: int, b: int) returns (p: int)
  requires a >= 0 && b >= 0;
  ensures p == a * b;
{
  var i, j: int;

  i, p := 0, 0;
  while (i < a) {
    j := 0;
    while (j <= b) {
      p := p + 1;
      j := j + 1;
    }
    i := i + 1;
  }
} // FAILS
