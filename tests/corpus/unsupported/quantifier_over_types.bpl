//# expect: unknown(unsupported)
// What holds for some type is not said of a type in particular.
procedure p(h: [int]bool)
{
  assume !(exists<t> m: [t]bool, x: t :: m[x]);
  assert !h[42];
}
