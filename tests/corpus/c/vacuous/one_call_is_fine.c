//# expect: safe
//# flags: --property assertions
// Another call gets past the write.
#include <assert.h>
static void set(int *p) { *p = 1; }
int main(void) {
  int x = 0;
  set(&x);
  assert(x == 1);
  set(0);
  assert(x == 2);
  return 0;
}
