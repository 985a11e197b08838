//# expect: unsafe
// A map that may be any: each of its cells may be.
procedure p(i: int)
{
  var a, b: [int, bool]int;
  assume 0 <= i && i <= 3;
  assume a[i, true] == 1;
  b := a;
  havoc a;
  assume a[i, false] == b[i, false];
  assert b[i, true] == 1;
  assert a[i, true] == b[i, true]; // FAILS
}
