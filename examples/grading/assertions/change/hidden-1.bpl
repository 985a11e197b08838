// Put together with what a student hands in: see `ult grade`.

procedure hidden_1() { var f, t, o: int; call f, t, o := change(0); assert f == 0; }
procedure hidden_2() { var f, t, o: int; call f, t, o := change(1); assert o == 1; }
procedure hidden_3() { var f, t, o: int; call f, t, o := change(1234); assert f == 246; }
procedure hidden_4() { var f, t, o: int; call f, t, o := change(8); assert t == 1; }
procedure hidden_5() { var f, t, o: int; call f, t, o := change(1000001); assert o == 1; }
