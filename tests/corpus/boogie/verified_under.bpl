//# expect: unsafe 6 14 15
//# flags: --modular expect: unsafe 15
// `{:verified_under A}`: in the modular reading, where `A` holds somebody else has verified it. Behind it it is assumed.
procedure p(n: int, trusted: bool)
{
  assert {:verified_under trusted || n > 0} n > 0 || !trusted;
  assume trusted;
  assert n > 0;
}

procedure q(n: int, a: bool, b: bool)
  requires n > 0 || a || b;
{
  assert {:verified_under a || b} n > 0;
  assert {:verified_under a} {:verified_under n > 3} n > 2;
}
