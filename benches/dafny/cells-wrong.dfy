// Two names may mean the same object.
class Cell {
  var value: int
  method Add(n: int)
    modifies this
    ensures value == old(value) + n
  {
    value := value + n;
  }
}
method Both(a: Cell, b: Cell)
  modifies a, b
  ensures a.value == old(a.value) + 1
{
  a.Add(1);
  b.Add(2);
}
