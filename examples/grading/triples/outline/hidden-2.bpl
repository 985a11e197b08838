// Put together with what a student hands in: see `ult grade`.

procedure hidden_2(x: int, y: int)
{
  assert x > y ==> B(x, y);
}
