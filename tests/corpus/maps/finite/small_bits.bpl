//# expect: unsafe
procedure two(k: [bv1]int) {
  assume k == (lambda b: bv1 :: 0);
  assert k[0bv1 := 1][1bv1 := 1] != (lambda b: bv1 :: 1); // FAILS
}
