// A trick.

procedure farm(n: int)
  requires n >= 0;
{
  var i, heads, legs: int;
  i, heads, legs := 0, 0, 0;
  while (i < n)
  {
    heads := heads + 2;
    legs := legs + 4 + 2;
    i := i + 1;
  }
  heads, legs := 2 * n, 6 * n;
  assert heads == 2 * n && legs == 3 * heads;
}
