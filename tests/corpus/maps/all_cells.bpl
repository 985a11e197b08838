//# expect: safe
// No number of single cells is enough: the proof speaks of all of them.
procedure p(n: int)
{
  var a: [int]int;
  var i: int;

  i := 0;
  while (i < n) {
    a[i] := 2 * i;
    i := i + 1;
  }
  i := 0;
  while (i < n) {
    assert a[i] == i + i;
    i := i + 1;
  }
}
