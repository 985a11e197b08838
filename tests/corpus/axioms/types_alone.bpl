//# expect: safe
// No function and no constant: the type itself.
type T;
axiom (forall x, y: T :: x == y);

procedure p(x: T, y: T)
{
  assert x == y;
}
