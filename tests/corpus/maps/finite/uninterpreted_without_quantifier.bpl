//# expect: unsafe
// The type may have one element. No quantifier says so, but the two maps do.
type T;
procedure one(k: [T]int, c: T) {
  assume k == (lambda y: T :: 0);
  assert k[c := 1] != (lambda y: T :: 1); // FAILS
}
