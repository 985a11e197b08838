//# expect: unsafe
//# flags: --modular expect: unsafe 12
// `havoc` may make it false.
procedure main()
{
  var {:assumption} a: bool;
  var i: int;
  i := 0;
  while (i < 3) { i := i + 1; }
  havoc a;
  // Only one of the two holds.
  assert i == 3 && a;   // FAILS
}
