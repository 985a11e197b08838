//# expect: safe
#include <assert.h>
extern double __VERIFIER_nondet_double(void);

int main(void) {
  double x = 0.1 + 0.2;
  assert(x != 0.3 && x > 0.3);
  float f = 16777216.0f;
  assert(f + 1.0f == f);
  double y = __VERIFIER_nondet_double();
  if (y >= 1.0 && y <= 2.0) assert(y * 0.5 <= 1.0);
  assert((int)-2.7 == -2);
  return 0;
}
