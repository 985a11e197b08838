//# expect: safe
// What is known of functions that no solver computes: ranges, and where there is no number (C11 F.10).
#include <assert.h>
#include <math.h>

extern double __VERIFIER_nondet_double(void);
extern float __VERIFIER_nondet_float(void);

int main(void) {
  double x = __VERIFIER_nondet_double(), y = __VERIFIER_nondet_double();
  float f = __VERIFIER_nondet_float();
  if (isfinite(x)) {
    double s = sin(x);
    assert(-1 <= s && s <= 1);
    assert(!isnan(exp(x)) && exp(x) >= 0);
  }
  if (isnan(x)) assert(isnan(cos(x)) && isnan(tanh(x)));
  if (f >= -1 && f <= 1) assert(acosf(f) >= 0 && acosf(f) <= 3.1415928f);
  if (f > 1) assert(isnan(asinf(f)));
  assert(pow(x, 0) == 1 && pow(1, y) == 1);
  if (x > 0 && !isnan(y)) assert(pow(x, y) >= 0);
  if (!isnan(x) && !isnan(y)) assert(fabs(atan2(x, y)) < 3.15);
  if (x < 0) assert(isnan(log(x)));
  return 0;
}
