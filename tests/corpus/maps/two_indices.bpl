//# expect: unsafe
procedure p(a: [int, bool]int)
{
  var b: [int, bool]int;
  b := a[3, true := 1];
  b[3, false] := 2;
  assert b[3, true] == 1;
  assert b[3, false] == a[3, false]; // FAILS
}
