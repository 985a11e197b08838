//# expect: safe
// The fifth mode has the old value.
procedure four(k: [rmode]int) {
  assume k == (lambda m: rmode :: 0)[RNE := 1][RNA := 1][RTP := 1][RTN := 1];
  assert k != (lambda m: rmode :: 1);
}
