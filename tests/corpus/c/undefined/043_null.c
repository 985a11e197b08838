//# expect: safe
//# flags: --property valid-deref expect: unsafe
// C11 6.3.2.1: An lvalue designates no object.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = 1;
  int *p = __VERIFIER_nondet_int() ? &x : 0;
  return *p; // FAILS
}
