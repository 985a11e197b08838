// Put together with what a student hands in: see `ult grade`.

procedure hidden_1() { var y: int; call y := clamp(9, 1, 5); assert y == 5; }
procedure hidden_2() { var y: int; call y := clamp(-3, 1, 5); assert y == 1; }
procedure hidden_3() { var y: int; call y := clamp(4, 4, 4); assert y == 4; }
