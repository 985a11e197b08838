// Put together with what a student hands in: see `ult grade`.

procedure hidden_1() { var n: int; call n := put(7); assert n == 8; }
procedure hidden_2() { var n: int; call n := put(8); assert n == 8; }
procedure hidden_3() { var n: int; call n := put(0); assert n == 1; }
procedure hidden_4() { var n: int; call n := put(1); call n := put(n); call n := put(n); assert n == 4; }
procedure hidden_5() { var n: int; call n := put(4); call n := put(n); call n := put(n); assert n == 7; }
