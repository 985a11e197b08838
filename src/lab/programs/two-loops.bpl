//# expect: safe
// Two loops in a row: the first one makes of x a y, the second one takes it apart again.
// Slicing abstraction finds ever new interpolants here. With x + y == n && y >= 0 at both loops it ends at once.

procedure main(n: int)
  requires n >= 0;
{
  var x, y: int;
  x := n;
  y := 0;
  while (x > 0) {
    x := x - 1;
    y := y + 1;
  }
  while (y > 0) {
    x := x + 1;
    y := y - 1;
  }
  assert x == n;
}
