//# expect: safe
//# flags: --property division-by-zero expect: unsafe
// C11 6.5.5: A division by zero.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  return 10 / x; // FAILS
}
