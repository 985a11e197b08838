//# expect: unsafe
//# assumes not: as inferred
//# flags: --modular expect: unsafe 11
// The candidate is assumed where it is not checked.
const {:existential true} b: bool;

procedure {:selective_checking} main(n: int)
{
  assert b ==> n > 0;             // FAILS
  assume {:start_checking_here} true;
  assert n > 0;                   // FAILS
}
