//# expect: unsafe
datatype Way { exact(), rounded(how: rmode) }
procedure six(k: [Way]int) {
  assume k == (lambda w: Way :: 3);
  assert k[exact() := 4][rounded(RNE) := 4][rounded(RNA) := 4][rounded(RTP) := 4][rounded(RTN) := 4][rounded(RTZ) := 4] // FAILS
    != (lambda w: Way :: 4);
}
