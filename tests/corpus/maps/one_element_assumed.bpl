//# expect: unsafe
// As one_element.bpl, but that there is only one element is assumed on the way.
type T;
procedure p(c: T, k: [T]int)
{
  assume k == (lambda y: T :: 0);
  assume (forall x: T :: x == c);
  if (k[c := 1] == (lambda y: T :: 1)) { assert false; } // FAILS
}
