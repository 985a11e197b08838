//# expect: safe
var m: [int][int]bool;

procedure p(i: int, j: int)
  modifies m;
{
  m[i][j] := true;
  assert m[i][j];
  m[i] := m[i][j := false];
  assert !m[i][j];
}
