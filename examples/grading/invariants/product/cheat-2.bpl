// A trick.

procedure multiply(a: int, b: int) returns (p: int)
  requires b >= 0;
{
  var i: int;
  p, i := 0, 0;
  while (i < b)
  {
    p := p + a;
    i := i + 1;
  }
}
