//# expect: safe
#include <assert.h>

int main(void) {
  int x = 0;
  assert(__VERIFIER_nondet_uchar() <= 255);
  assert(sizeof(__VERIFIER_nondet_double()) == sizeof(double));
  int b = __VERIFIER_nondet_bool();
  assert(b == 0 || b == 1);
  return 0;
}
