//# expect: safe
//# flags: --modular expect: unknown(not-proved)
procedure p()
{
  var i: int;
  i := 0;
  while (i < 10) { i := i + 1; }
  // In the modular reading nothing is known about i here, except that it is no longer below 10.
  assert i == 10;
}
