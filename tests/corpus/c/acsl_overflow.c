//# expect: unknown(unsupported)
//# flags: --signed-overflow wrap expect: unknown(unsupported)
//# flags: --int-encoding bits expect: unknown(unsupported)
// An annotation speaks about mathematical integers; where C's arithmetic differs, it is not judged.
extern unsigned int __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned int x = __VERIFIER_nondet_uint();
  //@ assert x + 1 > x;
  return 0;
}
