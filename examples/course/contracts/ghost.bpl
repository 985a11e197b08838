// Exercise: a ghost counter. Each round costs 3. Add a variable that counts the rounds (a ghost: the program does
// not need it), and say with it in an invariant what `cost` is.
//
// How it is checked: `ult check --modular`.

procedure pay(start: int)
{
  var x, cost: int;
  x, cost := start, 0;
  while (x != 0)
    // invariant ...;
  {
    if (x > 0) {
      x := x - 1;
    } else {
      x := x + 1;
    }
    cost := cost + 3;
  }
  assert cost mod 3 == 0;
}
