//# expect: safe
// Each round writes two cells; the cells that are read are those below twice the counter.
procedure p(n: int)
{
  var a: [int]int;
  var i: int;

  i := 0;
  while (i <= n) {
    a[2 * i] := 0;
    a[2 * i + 1] := 0;
    i := i + 1;
  }
  i := 0;
  while (i <= 2 * n) {
    assert a[i] == 0;
    i := i + 1;
  }
}
