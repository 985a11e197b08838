//# expect: unsafe
// Six values, all of them stored: the map is constant. A quantifier over the datatype must not be refuted by a seventh.
datatype Way { exact(), rounded(how: rmode) }
procedure p(k: [Way]int) {
  assume k == (lambda w: Way :: 0)[rounded(RTP) := 1][rounded(RNE) := 1][exact() := 1][rounded(RNA) := 1][rounded(RTZ) := 1]
    [rounded(RTN) := 1];
  assert k != (lambda w: Way :: 1); // FAILS
}
