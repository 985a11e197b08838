//# expect: safe
procedure spin(n: int)
{
  call spin(n + 1);
}

procedure main()
{
  call spin(0);
  assert false;
}
