//# expect: unsafe
// Each round writes two cells, and the second one is not what is read.
procedure p(n: int)
{
  var a: [int]int;
  var i: int;

  i := 0;
  while (i <= n) {
    a[2 * i] := 0;
    a[2 * i + 1] := 1;
    i := i + 1;
  }
  i := 0;
  while (i <= 2 * n) {
    assert a[i] == 0; // FAILS
    i := i + 1;
  }
}
