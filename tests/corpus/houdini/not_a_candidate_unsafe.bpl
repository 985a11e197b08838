//# expect: unsafe
//# assumes: `b` is false
//# flags: --modular
const {:existential true} b: bool;

procedure main(n: int)
{
  assert b ==> n > 0;
  assert n > 1;                   // FAILS
}
