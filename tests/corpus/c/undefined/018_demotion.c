//# expect: safe
// C11 6.3.1.5: A floating-point number does not fit a narrower floating type.
#include <assert.h>
#include <math.h>
int main(void) {
  double d = 1e300;
  float f = (float)d;
  assert(isinf(f));
  return 0;
}
