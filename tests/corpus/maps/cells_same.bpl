//# expect: safe
// Writing what is there changes nothing; equal maps have equal cells, whichever.
procedure p(a: [int]int, b: [int]int, i: int, j: int)
{
  var c: [int]int;
  c := a[i := a[i]];
  assert c == a;
  assume b == c[j := 3];
  assert b[j] == 3;
  assert i == j || b[i] == a[i];
}
