//# expect: safe
procedure same<a>(x: a) returns (y: a)
  ensures y == x;
{
  y := x;
}

procedure main()
{
  var i: int;
  var b: bool;
  call i := same(3);
  call b := same(true);
  assert i == 3 && b;
}
