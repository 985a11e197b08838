//# expect: safe
// All maps are one, so there is one element.
type T;
const m: [T]bool;
axiom (forall k: [T]bool, x, y: T :: k[x] == k[y]);

procedure p(x: T, y: T)
{
  assert x == y;
}
