//# expect: unsafe
//# flags: --modular
type {:datatype} Shape;
function {:constructor} Circle(size: int) : Shape;
function {:constructor} Box(size: int, kind: bool) : Shape;

procedure main(s: Shape)
{
  assert Circle(1) != Circle(2);
  // The field of one constructor is not that of the other, whose name it has.
  assert size#Circle(Box(3, true)) == 3; // FAILS
}
