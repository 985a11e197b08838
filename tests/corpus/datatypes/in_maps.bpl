//# expect: safe
//# flags: -Z blocks=none
datatype Cell { Cell(full: bool, item: int), Gone(item: int) }

procedure fill(n: int)
  requires n >= 0;
{
  var cells: [int]Cell;
  var seen: [Cell]bool;
  var i: int;
  i := 0;
  while (i < n) {
    cells[i] := Cell(true, 7);
    seen[cells[i]] := true;
    assert cells[i]->item == 7;
    cells[i] := cells[i]->(item := 8);
    assert cells[i] == Cell(true, 8);
    i := i + 1;
  }
  assert n > 0 ==> cells[n - 1] is Cell && cells[n - 1]->item == 8;
  assert n > 0 ==> seen[Cell(true, 7)];
}
