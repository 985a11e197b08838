//# expect: rejected(E0301 4)
procedure p(x: int)
{
  assert x;
}
