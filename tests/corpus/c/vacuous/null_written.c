//# expect: safe
//# flags: --property assertions
//# warns: W0406
// In a function, and in each of its calls.
#include <assert.h>
static void set(int *p) { *p = 1; }
int main(void) {
  int *none = 0;
  set(none);
  assert(none != 0);
  return 0;
}
