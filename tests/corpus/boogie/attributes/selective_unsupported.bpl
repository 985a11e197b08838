//# expect: unknown(unsupported)
//# flags: --modular expect: unknown(unsupported)
// What cannot be expressed counts wherever it is, also where nothing is checked.
procedure {:selective_checking} p(c: bool, x: int)
{
  assert {:unsupported "large numbers"} x < 100;
  assume {:start_checking_here} true;
  assert x == x;
}
