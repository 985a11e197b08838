//# expect: unsafe
procedure p()
{
  var x, y: int;
  x, y := 1, 2;
  havoc x;
  assert y == 2;
  assert x == 1; // FAILS
}
