//# expect: safe
procedure p(x: int) returns (y: int)
  ensures y >= 0;
{
  y := x;
  if (x >= 0) { return; }
  y := -x;
}
