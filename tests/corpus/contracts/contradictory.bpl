//# expect: safe
//# warns: W0401
procedure p(x: int)
  requires x > 0;
  requires x < 0;
{
  assert x == 7;
}
