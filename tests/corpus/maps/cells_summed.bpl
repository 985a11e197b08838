//# expect: safe
// The sum of cells that are all known.
procedure p(n: int)
{
  var a: [int]int;
  var i, sum: int;

  assume n > 0;
  i := 0;
  while (i < n) {
    a[i] := 2;
    i := i + 1;
  }
  i := 0;
  sum := 0;
  while (i < n) {
    sum := sum + a[i];
    i := i + 1;
  }
  assert sum == 2 * n;
}
