// Exercise: shared variables. The formulas
//
//     A:  x == 2 * a  &&  y == x + 1          B:  y == 2 * b
//
// contradict each other. An interpolant follows from A, contradicts B, and speaks only of what both have: y.

function I(y: int) returns (bool) { true }

procedure follows(x: int, y: int, a: int)
{
  assume x == 2 * a && y == x + 1;
  assert I(y);
}

procedure contradicts(y: int, b: int)
{
  assume y == 2 * b;
  assert !I(y);
}
