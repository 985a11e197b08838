//# expect: rejected(E0101 4)
procedure p(x: int)
{
  assert x > ;
}
