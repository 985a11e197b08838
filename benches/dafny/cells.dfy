// Two objects: what is done to one of them does not change the other one.
class Cell {
  var value: int
  constructor(v: int) ensures value == v { value := v; }
  method Add(n: int)
    modifies this
    ensures value == old(value) + n
  {
    value := value + n;
  }
}
method Both(a: Cell, b: Cell)
  requires a != b
  modifies a, b
  ensures a.value == old(a.value) + 1 && b.value == old(b.value) + 2
{
  a.Add(1);
  b.Add(2);
}
method Fresh(a: Cell) returns (c: Cell)
  ensures fresh(c) && c.value == a.value && c != a
{
  c := new Cell(a.value);
}
