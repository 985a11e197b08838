//# expect: unsafe
//# assumes not: as inferred
// Nothing is chosen for a constant that would be believed without being checked.
const {:existential true} assumed, negated, axiomatic, believed, free_, outside, guard: bool;
axiom axiomatic ==> (exists i: int :: i * i == 2);

procedure external(n: int);
  ensures outside ==> false;

procedure kept(n: int) returns (r: int)
  free ensures free_ ==> false;
{
  assert free_ ==> n == n;
}

procedure main(n: int)
{
  var r: int;
  assert assumed && axiomatic && believed && outside && guard ==> n == n;
  assume believed ==> n > 0;
  assume assumed;
  call external(n);
  call r := kept(n);
  if (!guard) { assert n > 0; }   // FAILS
  assert !negated ==> n > 0;      // FAILS
  assert n > 0;                   // FAILS
}
