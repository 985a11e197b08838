//# expect: safe
// With two elements, a map that is 0 everywhere and 1 at one of them is not 1 everywhere; with quantifiers about them, and
// maps inside of quantifiers.
type T;
const c, d: T;
axiom c != d;
axiom (forall x: T :: x == c || x == d);
function f(x: T) returns ([T]int);
axiom (forall x: T :: f(x) == (lambda y: T :: if x == y then 1 else 0));
procedure p(k: [T]int)
{
  assume k == (lambda y: T :: 0);
  assert k[c := 1] != (lambda y: T :: 1);
  assert k[c := 1] == f(c);
  assert f(d)[d := 0][c := 1] == f(c);
}
