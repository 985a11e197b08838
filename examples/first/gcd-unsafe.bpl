//# expect: unsafe
// As gcd.bpl, but the loop ends as soon as one number is 1, also where the other one is larger.

procedure gcd(a: int, b: int) returns (g: int)
  requires a > 0 && b > 0;
  ensures g > 0 && g <= a && g <= b;
{
  var x, y: int;

  x, y := a, b;
  while (x > 1 && y > 1) {
    if (x > y) {
      x := x - y;
    } else {
      y := y - x;
    }
  }
  g := x;
} // FAILS
