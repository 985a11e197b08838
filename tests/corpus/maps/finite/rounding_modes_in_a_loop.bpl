//# expect: unsafe
// The modes are stored one after the other; the map is constant only after the last.
function mode(i: int): rmode {
  if i == 0 then RNE else if i == 1 then RNA else if i == 2 then RTP else if i == 3 then RTN else RTZ
}
procedure all() {
  var k: [rmode]bool;
  var i: int;
  k := (lambda m: rmode :: false);
  i := 0;
  while (i < 5) {
    k[mode(i)] := true;
    i := i + 1;
  }
  assert k != (lambda m: rmode :: true); // FAILS
}
