// Put together with what a student hands in: see `ult grade`.

procedure hidden_1() { var m: int; call m := max3(3, 1, 2); assert m == 3; }
procedure hidden_2() { var m: int; call m := max3(1, 3, 2); assert m == 3; }
procedure hidden_3() { var m: int; call m := max3(1, 2, 3); assert m == 3; }

procedure hidden_4()
{
  var m: int;
  call m := max3(0, 0, 0);
  call m := max3(7, 7, 2);
  call m := max3(-5, -9, -5);
  call m := max3(2, 8, 8);
  call m := max3(-30, 40, -50);
}
