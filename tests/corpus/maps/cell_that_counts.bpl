//# expect: safe
// One cell is the counter that others are computed with.
procedure p(n: int)
{
  var a, c: [int]int;
  var i: int;

  assume n > 0;
  c[0] := 0;
  i := 0;
  while (i < n) {
    c[0] := c[0] + 1;
    i := i + 1;
  }
  i := 0;
  while (i < n) {
    a[i] := c[0] - n;
    i := i + 1;
  }
  i := 0;
  while (i < n) {
    assert a[i] == 0;
    i := i + 1;
  }
}
