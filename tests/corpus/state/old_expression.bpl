//# expect: unsafe
var g: int;

procedure p()
  modifies g;
{
  g := g + 1;
  assert old(g) < g;
  assert old(g) == g; // FAILS
}
