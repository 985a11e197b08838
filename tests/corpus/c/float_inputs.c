//# expect: unsafe@11
// A run needs floating values: a number that is not below another one and not above it either.
#include <assert.h>
extern double __VERIFIER_nondet_double(void);
extern float __VERIFIER_nondet_float(void);

int main(void) {
  double x = __VERIFIER_nondet_double();
  float y = __VERIFIER_nondet_float();
  if (y > 0.25f && y < 0.5f && (double)y * 3.0 == 1.0078125)
    assert(x <= 2.0 || x >= 2.0);
  return 0;
}
