//# expect: safe
procedure p(n: int)
{
  var i, j: int;
  i := 0;
  while (i < n) {
    j := 0;
    while (j < i) { j := j + 1; }
    assert j <= i;
    i := i + 1;
  }
}
