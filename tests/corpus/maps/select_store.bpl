//# expect: unsafe
procedure p(a: [int]int, i: int, j: int)
{
  var b: [int]int;
  b := a[i := 5];
  assert b[i] == 5;
  assert i != j ==> b[j] == a[j];
  assert b[j] == a[j]; // FAILS
}
