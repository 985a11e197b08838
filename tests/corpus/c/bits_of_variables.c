//# expect: safe
//# flags: --int-encoding math expect: unknown(unsupported)
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
  unsigned char a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar();
  unsigned char before_a = a, before_b = b;
  a ^= b;
  b ^= a;
  a ^= b;
  assert(a == before_b && b == before_a);
  return 0;
}
