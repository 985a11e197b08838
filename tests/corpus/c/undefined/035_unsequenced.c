//# expect: unknown(unsupported)
//# flags: --property evaluation-order expect: unsafe
// C11 6.5: Side effects on one object without an order.
#include <assert.h>
int main(void) {
  int i = 0;
  i = i++ + 1; // FAILS
  assert(i == 1);
  return 0;
}
