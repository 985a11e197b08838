//# expect: safe
// The rounding mode as fesetround says; the numbers are those of x86.
#include <assert.h>
extern int fesetround(int);
extern int fegetround(void);
extern double rint(double);
extern double __VERIFIER_nondet_double(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  assert(fegetround() == 0);
  double one = 1.0, three = 3.0;
  double nearest = one / three;
  assert(fesetround(0x800) == 0 && fegetround() == 0x800);
  double up = one / three;
  fesetround(0x400);
  double down = one / three;
  assert(down < up && down <= nearest && nearest <= up);
  assert(rint(2.5) == 2.0 && rint(-2.5) == -3.0);
  int mode = __VERIFIER_nondet_int();
  if (mode != 0 && mode != 0x400 && mode != 0x800 && mode != 0xc00)
    assert(fesetround(mode) != 0 && fegetround() == 0x400);
  return 0;
}
