//# expect: unknown(unsupported)
// Only axioms are read for the types that occur; here nobody knows which ones matter.
procedure p(h: [int]bool)
{
  assume (forall<t> m: [t]bool, x: t :: !m[x]);
  assert !h[42];
}
