// Exercise: a proof outline. Between the statements of
//
//     { A }  x := x + y;  { B }  y := x - y;  { y > 0 }
//
// stand assertions. Fill in the weakest ones.

function A(x: int, y: int) returns (bool) { true }

function B(x: int, y: int) returns (bool) { true }

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
