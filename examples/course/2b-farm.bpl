//# expect: safe
//# flags: --modular expect: unsafe
// Exercise 2b. On a farm there are as many cows as ducks. Write invariants for the loop that counts heads and legs, so that
// `ult check --modular` proves the assertion.

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
  assert heads == 2 * n && legs == 3 * heads; // FAILS
}
