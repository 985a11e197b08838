//# expect: unsafe
// Only few cells are written, and the one that is read is none of them.
procedure p(x: int, y: int)
{
  var a: [int]int;
  a[0] := 0;
  a[1] := 1;
  a[2] := 2;
  assume x == y + 1000;
  assume y > 10;
  assert a[x] < 3; // FAILS
}
