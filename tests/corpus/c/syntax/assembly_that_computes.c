//# expect: unknown(unsupported)
// With an instruction, or from nowhere, the value is not known.
#include <assert.h>
int main(void) {
  int x = 1;
  __asm__("" : "=r"(x));
  assert(x == 1);
  return 0;
}
