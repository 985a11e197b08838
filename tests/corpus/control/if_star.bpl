//# expect: unsafe
procedure p()
{
  var x: int;
  if (*) { x := 1; } else if (*) { x := 2; } else { x := 3; }
  assert x >= 1 && x <= 3;
  assert x != 2; // FAILS
}
