//# expect: safe
//# warns: W0402
procedure p(x: int, y: int)
{
  if (x > y && y > x) {
    assert x == 7;
  }
}
