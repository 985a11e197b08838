//# expect: safe
//# flags: --property valid-deref expect: unsafe 9
//# flags: --property valid-deref --int-encoding bits expect: unsafe 9
// An array with more bytes than `size_t` can say does not exist.
extern unsigned long __VERIFIER_nondet_ulong(void);

int main(void) {
  unsigned long n = __VERIFIER_nondet_ulong();
  if (n > 0) { int a[n]; a[0] = 1; }
  return 0;
}
