//# expect: unsafe
// Both stores write what the lambda has there, or what only it has.
procedure p() {
  var k: [bv2]bool;
  assume k == (lambda y: bv2 :: y == 0bv2);
  assert k[2bv2 := false][0bv2 := false] == (lambda y: bv2 :: true); // FAILS
}
