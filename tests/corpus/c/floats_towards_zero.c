//# expect: safe
// A floating-point number becomes an integer by rounding towards zero (C11 6.3.1.4).
#include <assert.h>
extern double __VERIFIER_nondet_double(void);

int main(void) {
  double d = __VERIFIER_nondet_double();
  if (d == 2.75)
    assert((int)d == 2);
  if (d == -2.75)
    assert((int)d == -2 && (long)d == -2);
  if (d == 3.5)
    assert((unsigned char)d == 3);
  int i = 5;
  i *= d == 0.5 ? d : 0.25;
  assert(i == (d == 0.5 ? 2 : 1));
  return 0;
}
