// Put together with what a student hands in: see `ult grade`.

procedure hidden_1(x: int, y: int)
{
  var a, b: int;
  call a, b := post(x, y);
  assert a == x;
  assert b == y;
}
