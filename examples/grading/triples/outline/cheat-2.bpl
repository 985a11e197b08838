// A trick.

function A(x: int, y: int) returns (bool) { false }

function B(x: int, y: int) returns (bool) { false }

procedure first(a: int, y: int)
{
  var x: int;
  x := a;
  assume A(x, y);
  x := x + y;
  assert B(x, y);
}

procedure second(x: int, b: int)
{
  var y: int;
  y := b;
  assume B(x, y);
  y := x - y;
  assert y > 0;
}
