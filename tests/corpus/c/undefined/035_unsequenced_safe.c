//# expect: safe
// C11 6.5: Not so here: Side effects on one object without an order.
#include <assert.h>
int main(void) {
  int i = 0;
  i = i + 1;
  i++;
  assert(i == 2);
  return 0;
}
