//# expect: unsafe 6
// Two indices: five modes, and a map of one value.
datatype Unit { unit() }
procedure five(k: [rmode, Unit]int) {
  assume k == (lambda m: rmode, u: Unit :: 0);
  assert k[RNE, unit() := 1][RNA, unit() := 1][RTP, unit() := 1][RTN, unit() := 1][RTZ, unit() := 1] != (lambda m: rmode, u: Unit :: 1);
}
