//# expect: safe
//# flags: --property no-overflow expect: unsafe
// C11 6.5.7: A negative number is shifted to the left, or the result does not fit.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  return x << 1; // FAILS
}
