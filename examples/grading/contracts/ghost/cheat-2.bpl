// A trick.

procedure pay(start: int)
{
  var x, cost: int;
  var rounds: int;
  x, cost := start, 0;
  rounds := 0;
  while (x != 0)
    invariant cost == 3 * rounds;
  {
    if (x > 0) {
      x := x - 1;
    } else {
      x := x + 1;
    }
    cost := cost + 3;
    rounds := rounds + 1;
    assume cost == 3 * rounds;
  }
  assert cost mod 3 == 0;
}
