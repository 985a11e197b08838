//# expect: safe
//# flags: --property float-conversion expect: unsafe 8
//# assumes: floating-point numbers fit where they become integers
// C11 6.3.1.4: A floating-point number does not fit its integer type.
#include <assert.h>
int main(void) {
  double d = 1e10;
  int i = (int)d;
  assert(i == 0);
  return 0;
}
