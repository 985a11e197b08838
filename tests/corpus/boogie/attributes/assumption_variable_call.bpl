//# expect: unsafe
//# flags: --modular expect: unknown(contract-too-weak)
// The variable is true at the start, so the violation needs a value that the callee never gives.
procedure one() returns (r: int)
{
  r := 1;
}

procedure main()
{
  var {:assumption} a: bool;
  var r: int;
  call r := one();
  assert a && r == 1;   // FAILS
}
