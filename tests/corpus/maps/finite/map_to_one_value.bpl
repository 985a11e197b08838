//# expect: unsafe
// There is one map from the integers to a type with one value.
datatype Unit { unit() }
procedure one(k: [[int]Unit]int, m: [int]Unit) {
  assume k == (lambda a: [int]Unit :: 0);
  assert k[m := 1] != (lambda a: [int]Unit :: 1); // FAILS
}
