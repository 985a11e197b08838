//# expect: unsafe
//# assumes not: as inferred
const {:existential false} b: bool;
const c: bool;
const {:existential true} number: int;

procedure main(n: int)
{
  assert b ==> n > 0;             // FAILS
  assert c ==> n > 0;             // FAILS
  assert number == 3 ==> n > 0;   // FAILS
}
