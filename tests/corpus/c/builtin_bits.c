//# expect: safe
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  assert(__builtin_popcount(x) == __builtin_popcountll(x));
  assert(__builtin_popcount(x & 1) == (x & 1));
  assert(__builtin_bswap32(__builtin_bswap32(x)) == x);
  assert(__builtin_bswap16(0x1234) == 0x3412);
  if (x) assert(x >> (31 - __builtin_clz(x)) == 1);
  if (x) assert(x << (31 - __builtin_ctz(x)) == 0x80000000);
  assert((__builtin_ffs((int)x) == 0) == (x == 0));
  return 0;
}
