// Exercise: a run. UNSAFE is said only of a run that was replayed. Make one: say for the steps 0, 1 and 2 which
// way to go, so that the assertion is violated, and `ult check` says UNSAFE.

function choice(i: int) returns (bool) { true }

procedure main()
{
  var x, i: int;
  x, i := 1, 0;
  while (i < 3) {
    if (choice(i)) {
      x := 2 * x;
    } else {
      x := x + 3;
    }
    i := i + 1;
  }
  assert x != 14;
}
