//# expect: safe
procedure p(x: int)
{
  if (x > 0) {
    assume false;
  }
  assert x <= 0;
}
