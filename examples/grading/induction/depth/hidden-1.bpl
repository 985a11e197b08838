// Put together with what a student hands in: see `ult grade`.

procedure hidden_1()
{
  assert k() <= 4;
}
