//# expect: safe
type T;
procedure one(k: [T]int, c: T, d: T) {
  assume k == (lambda y: T :: 0) && c != d;
  assert k[c := 1] != (lambda y: T :: 1);
}
