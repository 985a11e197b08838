//# expect: unsafe
//# flags: --modular
type Box a;
function size<a>(b: Box a): int;
axiom (forall<a> b: Box a :: size(b) == 3);

procedure too_much(b: Box int)
{
  assert size(b) == 3;
  assert size(b) == 4;    // FAILS
}
