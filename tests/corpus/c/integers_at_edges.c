//# expect: safe
//# flags: --int-encoding math
//# flags: --int-encoding bits
// Conversions, promotions and operations at values where a wrong sign, width or rounding shows.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

struct bits {
  unsigned whole : 32;
  int small : 3;
};

int main(void) {
  int x = __VERIFIER_nondet_int();
  unsigned u = __VERIFIER_nondet_uint();
  if (x == -8) {
    assert(x >> 1 == -4);
    assert((x | 12) == -4);
    assert((x & 12) == 8);
    assert((x ^ 1) == -7);
  }
  if (u == 5) {
    assert(~u == 4294967290u);
    assert(~u > u);
    assert(-u == 4294967291u);
  }
  struct bits b;
  b.whole = u;
  if (u == 4294967295u)
    assert(b.whole > 0 && !(-1 < (int)0 && b.whole < 1) && b.whole / 2 == 2147483647);
  _Bool t = x == -8;
  assert(t ? -t == -1 && ~t == -2 && t << 8 == 256 : -t == 0);
  assert('\xff' == -1);
  assert(0xffffffff > 0 && -1 == 0xffffffff && 0xffffffff / 2 == 2147483647);
  unsigned char c = (unsigned char)u;
  if (c == 255) {
    c /= 256;
    assert(c == 0);
  }
  return 0;
}
