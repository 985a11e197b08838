//# expect: unsafe
procedure p(x: int) returns (y: int)
  ensures y > x;
{
  y := x * x;
} // FAILS
