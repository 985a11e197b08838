//# expect: unsafe
//# flags: --entry main expect: safe
// On its own the procedure may start with any number; from main it starts with a positive one.
procedure down(n: int, d: int)
{
  assert d > 0; // FAILS
  if (n > 0) {
    call down(n - d, d + 1);
  }
}

procedure main()
{
  call down(1000000, 1);
}
