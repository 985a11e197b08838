//# expect: rejected(E0201 4) rejected(E0203 5) rejected(E0201 6)
procedure p(x: int)
{
  assert y > x;
  call q(x);
  z := 1;
}
