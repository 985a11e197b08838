//# expect: safe
// Functions of math.h that are the solver's own.
#include <assert.h>
#include <math.h>
extern double __VERIFIER_nondet_double(void);
extern float __VERIFIER_nondet_float(void);

int main(void) {
  assert(fmin(2.0, 3.0) == 2.0 && fmaxf(2.0f, 3.0f) == 3.0f);
  assert(floor(-2.5) == -3.0 && ceil(-2.5) == -2.0 && trunc(-2.5) == -2.0);
  assert(round(2.5) == 3.0 && rint(2.5) == 2.0 && round(-2.5) == -3.0);
  assert(sqrt(2.25) == 1.5 && fabs(-1.0) == 1.0 && fmod(-7.5, 2.0) == -1.5);
  assert(copysign(3.0, -0.0) == -3.0 && fdim(5.0, 3.0) == 2.0 && fdim(3.0, 5.0) == 0.0);
  assert(lrint(2.5) == 2 && lround(2.5) == 3 && llrint(-3.7) == -4);
  double x = __VERIFIER_nondet_double();
  if (!isnan(x) && !isinf(x)) {
    assert(isfinite(x) && fabs(x) >= 0.0);
    assert(fmax(x, NAN) == x && fmin(NAN, x) == x);
  }
  if (isinf(x)) assert(x == INFINITY || x == -INFINITY);
  if (isnan(x)) assert(x != x && isnan(fmax(x, x)) && isunordered(x, 1.0));
  float f = __VERIFIER_nondet_float();
  // Denormal as a float, normal as a double.
  if (fpclassify(f) == FP_SUBNORMAL) assert(!isnormal(f) && isnormal((double)f));
  if (signbit(f)) assert(!(f > 0.0f));
  return 0;
}
