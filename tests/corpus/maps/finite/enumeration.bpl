//# expect: unsafe
datatype Color { red(), green(), blue() }
procedure three(k: [Color]int) {
  assume k == (lambda c: Color :: 0);
  assert k[red() := 1][green() := 1][blue() := 1] != (lambda c: Color :: 1); // FAILS
}
