// Exercise: a product by addition. Write the invariants of the loop.
//
// How it is checked: `ult check --modular`.

procedure multiply(a: int, b: int) returns (p: int)
  requires b >= 0;
  ensures p == a * b;
{
  var i: int;
  p, i := 0, 0;
  while (i < b)
    // invariant ...;
  {
    p := p + a;
    i := i + 1;
  }
}
