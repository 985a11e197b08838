//# expect: safe
//# flags: --property no-overflow
// C11 6.5.7: Not so here: A negative number is shifted to the left, or the result does not fit.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  return x >= 0 && x < 8 ? x << 1 : 0;
}
