//# expect: safe
var g, h: int;

procedure p()
  modifies g;
{
  g := 1;
}

procedure main()
  modifies g, h;
{
  h := 5;
  call p();
  assert h == 5 && g == 1;
}
