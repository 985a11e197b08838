// A trick.

function choice(i: int) returns (bool) { 1 div 0 == i }

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
