//# expect: unknown(unsupported)
#include <assert.h>
extern void __VERIFIER_nondet_memory(void *, unsigned long);

int main(void) {
  int x = 1;
  int *p = &x;
  __VERIFIER_nondet_memory(&p, sizeof p);
  assert(p == &x);
  return 0;
}
