//# expect: nothing
//# warns: W0403
procedure p(x: int) returns (y: int)
{
  y := x;
}
