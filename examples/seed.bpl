//# expect: safe
// Program P, Figure 1 of E. Ermis, J. Hoenicke, A. Podelski, M. Schäf: "Slicing Abstraction using Path Formulas".
//
// Each branch moves one unit from one variable to another, so that x + y + z stays n, and when the loop ends with
// x == 0, then n == y + z. No variable has a bound: the program has infinitely many runs, of any length.

procedure main() {
  var x, y, z, n: int;

  assume n == x && y == 0 && z == 0;

  while (x != 0) {
    if (*) {
      x := x + 1;
      y := y - 1;
    }
    if (*) {
      y := y + 1;
      z := z - 1;
    }
    if (*) {
      x := x - 1;
      z := z + 1;
    }
  }
  assert n == y + z;
}
