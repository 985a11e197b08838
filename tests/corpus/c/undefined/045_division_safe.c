//# expect: safe
//# flags: --property division-by-zero
// C11 6.5.5: Not so here: A division by zero.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  return x > 0 ? 10 % x : 0;
}
