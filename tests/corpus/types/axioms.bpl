//# expect: unsafe
const size: int;
axiom size > 0;
axiom size < 10;

procedure p()
{
  assert size * size < 100;
  assert size != 7; // FAILS
}
