//# expect: safe
//# flags: --int-encoding bits
//# flags: --int-encoding math
#include <assert.h>
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned int x = __VERIFIER_nondet_uint();
  assert((x & 1) == x % 2);
  assert((x >> 3) == x / 8);
  assert((x & 0xf0) <= 0xf0);
  assert((x | 1) >= x);
  assert((-8 >> 1) == -4);
  assert(~0 == -1);
  assert((1 << 4) == 16);
  return 0;
}
