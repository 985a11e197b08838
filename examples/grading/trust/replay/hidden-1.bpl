// Put together with what a student hands in: see `ult grade`.

procedure hidden_1()
{
  assert !choice(0);
  assert !choice(1);
  assert choice(2);
}
