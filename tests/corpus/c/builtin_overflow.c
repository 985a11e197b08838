//# expect: unsafe
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern long long __VERIFIER_nondet_longlong(void);

int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), sum;
  if (!__builtin_add_overflow(a, b, &sum)) assert(sum == (long long)a + b);
  unsigned difference;
  assert(__builtin_sub_overflow(a, b, &difference) == (a < b));
  long long x = __VERIFIER_nondet_longlong(), y;
  if (x > 0 && __builtin_smulll_overflow(x, 2, &y)) assert(x > 0x3fffffffffffffff);
  assert(__builtin_mul_overflow_p(a, 2, (int)0) == (a > 0x3fffffff || a < -0x40000000));
  signed char small;
  assert(__builtin_add_overflow(100, 28, &small) && small == -128);
  assert(!__builtin_sadd_overflow(a, b, &sum)); // FAILS
  return 0;
}
