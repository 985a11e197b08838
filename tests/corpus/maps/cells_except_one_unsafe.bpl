//# expect: unsafe
// All cells are copied but one, and another one is not compared.
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
    if (i != z + 1) {
      assert a[i] == b[i]; // FAILS
    }
    i := i + 1;
  }
}
