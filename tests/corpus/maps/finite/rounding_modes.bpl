//# expect: unsafe
// There are five rounding modes, so five stores make a constant map.
procedure five(k: [rmode]int) {
  assume k == (lambda m: rmode :: 0)[RNE := 1][RNA := 1][RTP := 1][RTN := 1][RTZ := 1];
  assert k != (lambda m: rmode :: 1); // FAILS
}
