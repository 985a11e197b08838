//# expect: unsafe
//# flags: --modular
// The trace has to be one where nobody else is responsible.
procedure count(trusted: bool) returns (r: int)
{
  var i: int;
  i, r := 0, 0;
  while (i < 3) { i := i + 1; }
  assert {:verified_under trusted} i == 3 && r > 0;   // FAILS
}
