//# expect: unsafe 5 11
//# flags: --modular expect: unsafe 5 11 12
// `{:subsumption 0}`: in the modular reading an assertion says nothing about what comes behind it.
procedure p(n: int) {
  assert n > 0;
  assert n >= 0;
}

procedure q(n: int)
{
  assert {:subsumption 0} n > 0;
  assert n >= 0;
}
