//# expect: safe
// Division rounds so that the remainder is never negative.
procedure p(a: int, b: int)
{
  assert 7 div 2 == 3 && 7 mod 2 == 1;
  assert (-7) div 2 == -4 && (-7) mod 2 == 1;
  assert 7 div (-2) == -3 && 7 mod (-2) == 1;
  if (b != 0) {
    assert a == b * (a div b) + a mod b;
    assert a mod b >= 0;
  }
}
