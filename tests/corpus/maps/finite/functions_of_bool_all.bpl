//# expect: unknown(unsupported)
// Maps as indices have no values here: that all four are stored is not seen by going along a trace.
procedure four(k: [[bool]bool]int, a: [bool]bool, b: [bool]bool, c: [bool]bool, d: [bool]bool) {
  assume k == (lambda f: [bool]bool :: 0);
  assert k[a := 1][b := 1][c := 1][d := 1] != (lambda f: [bool]bool :: 1);
}
