//# expect: safe
// All cells are copied but one, and all are compared but that one.
procedure p(n: int, z: int, b: [int]int)
{
  var a: [int]int;
  var i: int;

  i := 0;
  while (i < n) {
    if (i != z) {
      a[i] := b[i];
    }
    i := i + 1;
  }
  i := 0;
  while (i < n) {
    if (i != z) {
      assert a[i] == b[i];
    }
    i := i + 1;
  }
}
