//# expect: unsafe
// The last cell keeps what it had.
procedure p(n: int)
{
  var a: [int]int;
  var i: int;

  i := 0;
  while (i < n - 1) {
    a[i] := 7;
    i := i + 1;
  }
  i := 0;
  while (i < n) {
    assert a[i] == 7; // FAILS
    i := i + 1;
  }
}
