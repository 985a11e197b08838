//# expect: unknown(unsupported)
// What the upper half of the register holds is open, and so are the bits of a number with a point.
#include <assert.h>
int main(void) {
  int x = -1;
  long y;
  double d;
  __asm__("" : "=r"(y) : "0"(x));
  __asm__("" : "=x"(d) : "0"(1.0f));
  assert(y == -1);
  return 0;
}
