//# expect: safe
// The loop ends at one of two limits; what it wrote is read below both.
procedure p(n: int, m: int)
{
  var a: [int]int;
  var i: int;

  i := 0;
  while (i < n && i <= m) {
    a[i] := 10;
    i := i + 1;
  }
  i := 0;
  while (i < n) {
    if (i <= m) {
      assert a[i] == 10;
    }
    i := i + 1;
  }
}
