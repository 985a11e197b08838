// Put together with what a student hands in: see `ult grade`.

procedure hidden_1() { var y: int; call y := clamp(9, 1, 5); assert y == 5; }
procedure hidden_2() { var y: int; call y := clamp(-3, 1, 5); assert y == 1; }
procedure hidden_3() { var y: int; call y := clamp(4, 4, 4); assert y == 4; }
procedure hidden_4() { var y: int; call y := clamp(-70, -60, 2000); assert y == -60; }
procedure hidden_5() { var y: int; call y := clamp(333, -333, 0); assert y == 0; }
procedure hidden_6() { var y: int; call y := clamp(17, 12, 23); assert y == 17; }
