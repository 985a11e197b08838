//# expect: unsafe
//# flags: --entry main expect: safe
procedure helper(x: int)
{
  assert x > 0; // FAILS
}

procedure main()
{
  call helper(3);
}
