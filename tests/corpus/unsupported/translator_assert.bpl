//# expect: unknown(unsupported)
// A translator could not say what happens for large numbers.
procedure main(x: int)
{
  var y: int;
  assert {:unsupported "large numbers"} x < 100;
  y := x + 1;
  assert y <= 100;
}
