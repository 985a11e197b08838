//# expect: unsafe 10 15 23 24
//# flags: --modular expect: unsafe 15 24
// The same at calls and invariants.
procedure positive(n: int);
  requires n > 0;

procedure trusting(n: int, trusted: bool)
{
  assume trusted;
  call {:verified_under trusted} positive(n);
}

procedure asking(n: int, trusted: bool)
{
  call {:verified_under trusted} positive(n);
}

procedure loops(n: int, trusted: bool)
{
  var i: int;
  i := n;
  while (*)
    invariant {:verified_under true} i >= 0;
    invariant {:verified_under trusted} i != 7;
  {
    havoc i;
  }
}
