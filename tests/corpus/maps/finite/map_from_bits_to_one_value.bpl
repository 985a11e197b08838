//# expect: unsafe
datatype Unit { unit() }
procedure one(k: [[bv64]Unit]bool, m: [bv64]Unit) {
  assume k == (lambda a: [bv64]Unit :: false);
  assert k[m := true] != (lambda a: [bv64]Unit :: true); // FAILS
}
