//# expect: safe
// The greatest common divisor by subtraction. It is positive and no larger than the two numbers.

procedure gcd(a: int, b: int) returns (g: int)
  requires a > 0 && b > 0;
  ensures g > 0 && g <= a && g <= b;
{
  var x, y: int;

  x, y := a, b;
  while (x != y) {
    if (x > y) {
      x := x - y;
    } else {
      y := y - x;
    }
  }
  g := x;
}
