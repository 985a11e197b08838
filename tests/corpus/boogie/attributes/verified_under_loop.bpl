//# expect: unsafe
//# flags: --modular expect: unknown(not-proved)
// Nothing is owed where `trusted` is true, and the invariants are too weak to see that the rest holds.
procedure count(trusted: bool)
{
  var i, x: int;
  i, x := 0, 0;
  while (i < 4) { i := i + 1; }
  assert {:verified_under trusted} i == 4 && (x > 0 || !trusted);   // FAILS
}
