// Put together with what a student hands in: see `ult grade`.

procedure hidden_1() { var m: int; call m := max3(3, 1, 2); assert m == 3; }
procedure hidden_2() { var m: int; call m := max3(1, 3, 2); assert m == 3; }
procedure hidden_3() { var m: int; call m := max3(1, 2, 3); assert m == 3; }
