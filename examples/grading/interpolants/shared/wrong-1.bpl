// A typical mistake.

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
