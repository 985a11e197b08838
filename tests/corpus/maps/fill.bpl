//# expect: unsafe
procedure p(n: int) returns (a: [int]int)
  requires n == 3;
{
  var i: int;
  i := 0;
  while (i < n) {
    a[i] := i * i;
    i := i + 1;
  }
  assert a[2] == 4;
  assert a[2] == 5; // FAILS
}
