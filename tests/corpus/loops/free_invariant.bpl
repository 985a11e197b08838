//# expect: safe
procedure p(n: int)
{
  var i: int;
  i := 0;
  while (i < n)
    free invariant i mod 2 == 0;
  {
    i := i + 1;
  }
  assert i mod 2 == 0;
}
