//# expect: safe
type T;
const unique a: T;
const unique b: T;
const unique c: T;
axiom (forall x: T :: x == a || x == b || x == c);

procedure p(x: T, y: T, z: T, u: T)
{
  assert x == y || x == z || x == u || y == z || y == u || z == u;
}
