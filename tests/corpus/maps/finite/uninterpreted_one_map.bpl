//# expect: safe
type T;
procedure one(k: [T]int, c: T, d: T) {
  assume k == (lambda y: T :: 0);
  assert k[c := 1][d] <= 1 && k[c := 1][c] == 1;
}
