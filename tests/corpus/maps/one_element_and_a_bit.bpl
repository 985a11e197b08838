//# expect: unsafe
// As one_element.bpl: pairs of the only element of T and a truth value are two.
type T;
datatype Pair { pair(first: T, second: bool) }
const c: T;
axiom (forall x: T :: x == c);
procedure p(k: [Pair]int, l: [T, bool]int)
{
  assume k == (lambda y: Pair :: 0);
  assume l == (lambda y: T, b: bool :: 0);
  if (k[pair(c, true) := 1][pair(c, false) := 1] == (lambda y: Pair :: 1)) {
    if (l[c, true := 1][c, false := 1] == (lambda y: T, b: bool :: 1)) { assert false; } // FAILS
  }
}
