// A trick.

procedure pay(start: int)
{
  var x, cost: int;
  x, cost := start, 0;
  while (x != 0)
    invariant cost == 0;
  {
    if (x > 0) {
      x := x - 1;
    } else {
      x := x + 1;
    }
    cost := cost + 3;
    cost := 0;
  }
  assert cost mod 3 == 0;
}
