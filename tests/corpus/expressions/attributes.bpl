//# expect: unsafe
function {:inline} sq(x: int) returns (int) { x * x }

procedure {:some "text", 3} p(x: int)
{
  assert {:msg "squares are positive"} sq(x) > 0; // FAILS
}
