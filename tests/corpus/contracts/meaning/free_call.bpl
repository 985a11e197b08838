//# expect: unsafe
//# flags: --calls once expect: unsafe
// `free call` does not check the precondition, and does not assume it either.
procedure pos(x: int)
  requires x > 0;
{ }

procedure main()
{
  free call pos(0);
  assert false;   // FAILS
}
