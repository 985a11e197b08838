//# expect: safe
// 10 locks are taken and given back in a loop: the family of Table III of "Software Model Checking via
// Large-Block Encoding" (Beyer, Cimatti, Griggio, Keremoglu, Sebastiani, 2009).
procedure main()
{
  var p1, lk1: int;
  var p2, lk2: int;
  var p3, lk3: int;
  var p4, lk4: int;
  var p5, lk5: int;
  var p6, lk6: int;
  var p7, lk7: int;
  var p8, lk8: int;
  var p9, lk9: int;
  var p10, lk10: int;
  while (*) {
    lk1 := 0;
    lk2 := 0;
    lk3 := 0;
    lk4 := 0;
    lk5 := 0;
    lk6 := 0;
    lk7 := 0;
    lk8 := 0;
    lk9 := 0;
    lk10 := 0;
    // Lock.
    if (p1 != 0) { lk1 := 1; }
    if (p2 != 0) { lk2 := 1; }
    if (p3 != 0) { lk3 := 1; }
    if (p4 != 0) { lk4 := 1; }
    if (p5 != 0) { lk5 := 1; }
    if (p6 != 0) { lk6 := 1; }
    if (p7 != 0) { lk7 := 1; }
    if (p8 != 0) { lk8 := 1; }
    if (p9 != 0) { lk9 := 1; }
    if (p10 != 0) { lk10 := 1; }
    // Unlock.
    if (p1 != 0) { assert lk1 == 1; lk1 := 0; }
    if (p2 != 0) { assert lk2 == 1; lk2 := 0; }
    if (p3 != 0) { assert lk3 == 1; lk3 := 0; }
    if (p4 != 0) { assert lk4 == 1; lk4 := 0; }
    if (p5 != 0) { assert lk5 == 1; lk5 := 0; }
    if (p6 != 0) { assert lk6 == 1; lk6 := 0; }
    if (p7 != 0) { assert lk7 == 1; lk7 := 0; }
    if (p8 != 0) { assert lk8 == 1; lk8 := 0; }
    if (p9 != 0) { assert lk9 == 1; lk9 := 0; }
    if (p10 != 0) { assert lk10 == 1; lk10 := 0; }
  }
}
