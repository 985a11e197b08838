// Exercise: heads and legs. On a farm there are as many cows as ducks. Write invariants for the loop that counts
// heads and legs, so that the assertion is proved.
//
// How it is checked: `ult check --modular`.

procedure farm(n: int)
  requires n >= 0;
{
  var i, heads, legs: int;
  i, heads, legs := 0, 0, 0;
  while (i < n)
    // invariant ...;
  {
    heads := heads + 2;
    legs := legs + 4 + 2;
    i := i + 1;
  }
  assert heads == 2 * n && legs == 3 * heads;
}
