// A solution: `p` is the product so far.

procedure multiply(a: int, b: int) returns (p: int)
  requires b >= 0;
  ensures p == a * b;
{
  var i: int;
  p, i := 0, 0;
  while (i < b)
    invariant p == a * i;
    invariant i <= b;
  {
    p := p + a;
    i := i + 1;
  }
}
