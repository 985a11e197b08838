//# expect: unsafe
//# flags: --int-encoding bits
#include <assert.h>
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned int x = __VERIFIER_nondet_uint();
  unsigned int y = x + 1;
  assert(y - 1 == x);
  assert(y > x); // FAILS
  return 0;
}
