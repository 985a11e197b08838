//# expect: safe
//# flags: --property valid-memtrack expect: unknown(unsupported)
// A function without a body may keep what it is given.
#include <stdlib.h>
extern void keep(int *p);

int main(void) {
  keep(malloc(4));
  return 0;
}
