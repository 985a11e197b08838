//# expect: unknown(unsupported)
// A pointer that is made of a number which is an address points to an object: a proof must not miss that.
#include <stdint.h>
extern void reach_error(void);

int main(void) {
  int x = 0;
  uintptr_t kept = (uintptr_t)&x + 4;
  int *p = (int *)(kept - 4);
  if (p == &x) reach_error();
  return 0;
}
