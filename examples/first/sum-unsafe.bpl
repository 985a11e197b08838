//# expect: unsafe
// As sum.bpl, but the assertion is about the sum of 1, 2, ..., 1000.

procedure main() {
  var i, s: int;

  i, s := 0, 0;
  while (i < 1000) {
    s := s + i;
    i := i + 1;
  }
  assert s == 500500; // FAILS
}
