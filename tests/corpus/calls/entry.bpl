//# expect: unsafe
//# flags: --entry main expect: safe
//# flags: --entry main --calls contract expect: unknown(contract-too-weak)
procedure helper(x: int)
{
  assert x > 0; // FAILS
}

procedure main()
{
  call helper(3);
}
