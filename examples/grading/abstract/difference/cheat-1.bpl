// A trick.

function least() returns (int) { 3 }

function most() returns (int) { 1 }

procedure start()
{
  var x, y: int;
  x, y := 0, 3;
  assert least() <= y - x && y - x <= most();
}

procedure round(a: int, b: int)
{
  var x, y: int;
  x, y := a, b;
  assume least() <= y - x && y - x <= most();
  x, y := x + 1, y + 1;
  if (y - x > 1) {
    y := y - 1;
  }
  assert least() <= y - x && y - x <= most();
}

procedure tight()
{
  assert least() >= 1;
  assert most() <= 3;
}
