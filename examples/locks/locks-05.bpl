//# expect: safe
// 5 locks are taken and given back in a loop: the family of Table III of "Software Model Checking via
// Large-Block Encoding" (Beyer, Cimatti, Griggio, Keremoglu, Sebastiani, 2009).
procedure main()
{
  var p1, lk1: int;
  var p2, lk2: int;
  var p3, lk3: int;
  var p4, lk4: int;
  var p5, lk5: int;
  while (*) {
    lk1 := 0;
    lk2 := 0;
    lk3 := 0;
    lk4 := 0;
    lk5 := 0;
    // Lock.
    if (p1 != 0) { lk1 := 1; }
    if (p2 != 0) { lk2 := 1; }
    if (p3 != 0) { lk3 := 1; }
    if (p4 != 0) { lk4 := 1; }
    if (p5 != 0) { lk5 := 1; }
    // Unlock.
    if (p1 != 0) { assert lk1 == 1; lk1 := 0; }
    if (p2 != 0) { assert lk2 == 1; lk2 := 0; }
    if (p3 != 0) { assert lk3 == 1; lk3 := 0; }
    if (p4 != 0) { assert lk4 == 1; lk4 := 0; }
    if (p5 != 0) { assert lk5 == 1; lk5 := 0; }
  }
}
