//# expect: safe
// The axiom is for all types, so for those that occur.
type List a;
function len<a>(l: List a) returns (int);
axiom (forall<a> l: List a :: len(l) >= 0);

procedure p(l: List int, k: List bool)
{
  assert len(l) + len(k) >= 0;
}
