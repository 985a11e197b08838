//# expect: unsafe
// As one_element.bpl, for a map that is an element of another one.
type T;
const c: T;
axiom (forall x: T :: x == c);
procedure p(k: [int][T]int)
{
  assume k[0] == (lambda y: T :: 0);
  if (k[0][c := 1] == (lambda y: T :: 1)) { assert false; } // FAILS
}
