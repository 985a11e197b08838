//# expect: safe
//# flags: --property evaluation-order
// C11 6.5: Not so here: Side effects on one object without an order.
#include <assert.h>
int main(void) {
  int i = 0;
  i = i + 1;
  i++;
  assert(i == 2);
  if (i > 2) {
    i = i++ + 1;
  }
  return 0;
}
