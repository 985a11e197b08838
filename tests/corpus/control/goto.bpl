//# expect: unsafe
procedure p(x: int) returns (y: int)
{
start:
  goto left, right;
left:
  assume x >= 0;
  y := x;
  goto done;
right:
  assume x < 0;
  y := -x;
  goto done;
done:
  assert y >= 0;
  assert y > 0; // FAILS
}
