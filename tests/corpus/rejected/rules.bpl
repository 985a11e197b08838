//# expect: rejected(E0320 3) rejected(E0222 4) rejected(E0221 10) rejected(E0319 11) rejected(E0222 12) rejected(E0222 14) rejected(E0110 20) rejected(E0315 22)
// Rules about attributes, datatypes, and implementations.
datatype Stream { Next(head: int, tail: Stream) }
var {:assumption} n: int;

procedure main(x: int)
{
  var {:assumption} a, b: bool;
  assume {:id "one"} x > 0;
  assert {:id "one"} x > 0;
  assert {:verified_under x} x > 0;
  a := x > 0;
  b := b && x > 0;
  b := b && x > 1;
}

procedure other(x: int);

// The procedure's where clauses hold.
implementation other(x: int where x > 0) {}
function f(x: int): int;
axiom (forall<T> x: int :: {f(x)} x == x);
