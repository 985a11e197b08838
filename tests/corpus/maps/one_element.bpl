//# expect: unsafe
// T has a single element: a map that is 0 everywhere, and 1 at that element, is 1 everywhere. A solver that reasons by a
// value "elsewhere" calls that impossible.
type T;
const c: T;
axiom (forall x: T :: x == c);
procedure p(k: [T]int)
{
  assume k == (lambda y: T :: 0);
  if (k[c := 1] == (lambda y: T :: 1)) { assert false; } // FAILS
}
