//# expect: unsafe
//# flags: --modular expect: unknown(contract-too-weak)
// The precondition fails only where somebody else is responsible for the call.
procedure owner(n: int) returns (r: int)
{
  r := n;
}

procedure needs(n: int)
  requires n > 0;
{ }

procedure main(trusted: bool)
{
  var r: int;
  call r := owner(1);
  if (trusted) { r := 0; }
  call {:verified_under trusted} needs(r);   // FAILS
}
