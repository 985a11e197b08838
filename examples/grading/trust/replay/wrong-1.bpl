// A typical mistake.

function choice(i: int) returns (bool) { false }

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
