//# expect: unsafe
procedure swap(a: int, b: int) returns (c: int, d: int)
  ensures c == b && d == a;
{
  c, d := a, b;
  c, d := d, c;
}

procedure wrong(a: int)
{
  var x, y: int;
  x, y := a, a + 1;
  x, y := y, x;
  assert x < y; // FAILS
}
