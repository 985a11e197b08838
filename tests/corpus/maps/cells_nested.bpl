//# expect: unsafe
// Rows that are copied are copies.
procedure p(t: [int][int]int, i: int, j: int)
{
  var m: [int][int]int;
  var row: [int]int;
  assume 0 <= i && i < 2 && 0 <= j && j < 2;
  m := t;
  row := m[i];
  m[j][1] := 7;
  assert row[1] == t[i][1];
  assert i == j || m[i][1] == row[1];
  assert m[i][1] == row[1]; // FAILS
}
