// A trick.

function low() returns (int) { 5 }

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
  assume x <= 100;
  assert low() <= x && x <= high();
}

procedure narrow(x: int)
{
  assume low() <= x && x <= high();
  assert 5 <= x && x <= 106;
}
