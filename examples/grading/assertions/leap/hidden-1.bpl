// Put together with what a student hands in: see `ult grade`.

procedure hidden_1()
{
  var l: bool;
  call l := leap(year());
  assert !l;
  assert year() mod 400 == 0;
}
