//# expect: safe
// Two counters that go up together. The program that many lessons of the course look at.

procedure twins(n: int)
{
  var x, y: int;
  x := 0;
  y := 0;
  while (x < n) {
    x := x + 1;
    y := y + 1;
  }
  assert x == y;
}
