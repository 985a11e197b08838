//# expect: rejected(E0201 4)
procedure p(x: int)
{
  assert y > x;
}
