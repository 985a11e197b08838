//# expect: unsafe
// The `where` clause of an in-parameter is assumed where the procedure is verified on its own, not at a call.
procedure wp(x: int where x > 0) { assert x > 0; }

procedure main()
{
  call quiet(0);
  assert false;   // FAILS
}

procedure quiet(x: int where x > 0) { }
