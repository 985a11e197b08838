//# expect: safe
// The axiom mentions the type only through `only`, which is not in the procedure.
type T;
const only: T;
axiom (forall x: T :: x == only);

procedure p(x: T, y: T)
{
  assert x == y;
}
