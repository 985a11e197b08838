//# expect: safe
procedure p(n: int)
{
  var i: int;
  i := 0;
head:
  if (i < n) {
    i := i + 1;
    goto head;
  }
  assert i >= 0;
  assert i >= n;
}
