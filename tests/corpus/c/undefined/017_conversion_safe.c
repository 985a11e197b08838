//# expect: safe
//# flags: --property float-conversion expect: safe
// C11 6.3.1.4: Not so here: A floating-point number does not fit its integer type.
#include <assert.h>
int main(void) {
  double d = 1e9;
  int i = (int)d;
  assert(i == 1000000000);
  return 0;
}
