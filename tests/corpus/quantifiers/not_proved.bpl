//# expect: unknown(not-proved)
//# flags: --modular --timeout 4
// Boogie says that it could not be proved, and no run is found in this time: nobody knows an `f` with these axioms.
function f(x: int): int;
axiom (forall x: int :: { f(x) } f(x) > x);
axiom (forall x: int, y: int :: { f(x), f(y) } x < y ==> f(x) < f(y));

procedure p(x: int)
{
  assert f(f(x)) > f(x) + 1;
}
