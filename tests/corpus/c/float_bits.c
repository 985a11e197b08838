//# expect: safe
// A floating-point number and its bits.
#include <assert.h>
extern float __VERIFIER_nondet_float(void);
union view { float number; unsigned int bits; unsigned char bytes[4]; };

int main(void) {
  union view v;
  v.number = 1.0f;
  assert(v.bits == 0x3f800000u && v.bytes[3] == 0x3f);
  v.bits = 0xc0200000u;
  assert(v.number == -2.5f);
  v.number = __VERIFIER_nondet_float();
  if (v.number < 0.0f) assert(v.bits >> 31 == 1);
  double d = 1.0;
  unsigned long long *p = (unsigned long long *)&d;
  assert(*p >> 52 == 1023);
  return 0;
}
