//# expect: unsafe 8 13
//# flags: --modular expect: unsafe 8
// Something else has verified it only where all of them hold.
procedure p(a: bool, b: bool, x: int)
  requires a;
  requires !b;
{
  assert {:verified_under a} {:verified_under b} x > 0;
}
procedure q(a: bool, b: bool, x: int)
  requires a && b;
{
  assert {:verified_under a} {:verified_under b} x > 0;
}
