// Exercise: an interval. For the loop
//
//     x := 5;  while (x < 100) { x := x + 7; }
//
// say between which numbers `x` is at the loop's head. The three procedures check that the interval has the first
// value, that it has the next one if it has one, and that it is no larger than the steps of intervals give.

function low() returns (int) { 0 }

function high() returns (int) { 100 }

procedure start()
{
  assert low() <= 5 && 5 <= high();
}

procedure round(a: int)
{
  var x: int;
  x := a;
  assume low() <= x && x <= high();
  assume x < 100;
  x := x + 7;
  assert low() <= x && x <= high();
}

procedure narrow(x: int)
{
  assume low() <= x && x <= high();
  assert 5 <= x && x <= 106;
}
