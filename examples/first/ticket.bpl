//# expect: safe
// A ticket lock for two threads: who wants to enter draws a ticket and waits until it is served. A step of the loop is a
// step of one of them.

procedure main() {
  var next, serving: int;       // the next ticket; the ticket that may enter
  var t1, t2: int;              // the tickets drawn
  var waits1, waits2, in1, in2: bool;

  next, serving := 0, 0;
  waits1, waits2, in1, in2 := false, false, false, false;
  while (*) {
    if (*) {
      if (in1) {
        in1, serving := false, serving + 1;
      } else if (waits1) {
        if (t1 == serving) { waits1, in1 := false, true; }
      } else {
        waits1, t1, next := true, next, next + 1;
      }
    } else {
      if (in2) {
        in2, serving := false, serving + 1;
      } else if (waits2) {
        if (t2 == serving) { waits2, in2 := false, true; }
      } else {
        waits2, t2, next := true, next, next + 1;
      }
    }
    assert !(in1 && in2);
  }
}
