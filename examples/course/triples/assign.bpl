// Exercise: the precondition of assignments. Replace `true` by the weakest precondition: all values for which the
// assertion holds, and no others. Go backwards, from the assertion to the first statement.

procedure assign(x: int, y: int) returns (z: int)
  requires true;
{
  z := x + 2 * y;
  z := z - 1;
  assert z > 10;
}
