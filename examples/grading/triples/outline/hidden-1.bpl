// Put together with what a student hands in: see `ult grade`.

procedure hidden_1(x: int, y: int)
{
  assert x > 0 ==> A(x, y);
}
