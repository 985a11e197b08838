//# expect: unsafe 6
//# flags: --modular expect: unknown(unsupported)
// Whether the condition holds cannot be said here, so neither can what is left to be proved. (It does hold.)
procedure p(x: int)
{
  assert {:verified_under (forall<T> y: T :: (exists z: T :: y == z))} x > 0;
}
