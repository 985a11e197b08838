//# expect: unsafe
//# flags: --modular expect: unknown(not-proved)
// The same behind a loop.
procedure needs(n: int)
  requires n == 5;
{ }

procedure main(trusted: bool)
{
  var i: int;
  i := 0;
  while (i < 5) { i := i + 1; }
  if (trusted) { i := 4; }
  call {:verified_under trusted} needs(i);   // FAILS
}
