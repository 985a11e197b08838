//# expect: safe
// Four functions from bool to bool: three stores are not all.
procedure three(k: [[bool]bool]int, a: [bool]bool, b: [bool]bool, c: [bool]bool) {
  assume k == (lambda f: [bool]bool :: 0);
  assert k[a := 1][b := 1][c := 1] != (lambda f: [bool]bool :: 1);
}
