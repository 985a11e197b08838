// A typical mistake.

procedure farm(n: int)
  requires n >= 0;
{
  var i, heads, legs: int;
  i, heads, legs := 0, 0, 0;
  while (i < n)
    invariant heads == 2 * i;
    invariant legs == 6 * i;
    invariant i < n;
  {
    heads := heads + 2;
    legs := legs + 4 + 2;
    i := i + 1;
  }
  assert heads == 2 * n && legs == 3 * heads;
}
