// Put together with what a student hands in: see `ult grade`.

procedure hidden_1(x: int, y: int)
  requires (x + 2 * y) - 1 > 10;
{
  var z: int;
  call z := assign(x, y);
}
