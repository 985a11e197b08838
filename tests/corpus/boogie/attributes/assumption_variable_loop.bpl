//# expect: unsafe
//# flags: --modular expect: unknown(not-proved)
// The loop leaves the variable as it was.
procedure main()
{
  var {:assumption} a: bool;
  var i: int;
  i := 0;
  while (i < 3) { i := i + 1; }
  assert i == 3 && a;   // FAILS
}
