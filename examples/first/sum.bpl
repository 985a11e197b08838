//# expect: safe
// The sum of 0, 1, ..., 999. Nothing is left open: there is one run.

procedure main() {
  var i, s: int;

  i, s := 0, 0;
  while (i < 1000) {
    s := s + i;
    i := i + 1;
  }
  assert s == 499500;
}
