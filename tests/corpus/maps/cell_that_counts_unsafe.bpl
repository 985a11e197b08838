//# expect: unsafe
// One cell counts twice as fast as the others expect.
procedure p(n: int)
{
  var a, c: [int]int;
  var i: int;

  assume n > 0;
  c[0] := 0;
  i := 0;
  while (i < n) {
    c[0] := c[0] + 2;
    i := i + 1;
  }
  i := 0;
  while (i < n) {
    a[i] := c[0] - n;
    i := i + 1;
  }
  i := 0;
  while (i < n) {
    assert a[i] == 0; // FAILS
    i := i + 1;
  }
}
