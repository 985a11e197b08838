//# expect: safe
procedure p(x: int)
{
  assert (var d := x + x; d - x) == x;
  assert (var a, b := x, 1; a + b) > x;
}
