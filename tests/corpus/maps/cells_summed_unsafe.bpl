//# expect: unsafe
// The sum of cells of which one is not what it was taken for.
procedure p(n: int)
{
  var a: [int]int;
  var i, sum: int;

  assume n > 0;
  i := 0;
  while (i < n) {
    a[i] := if i == 1 then 3 else 2;
    i := i + 1;
  }
  i := 0;
  sum := 0;
  while (i < n) {
    sum := sum + a[i];
    i := i + 1;
  }
  assert sum == 2 * n; // FAILS
}
