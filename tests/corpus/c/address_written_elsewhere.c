//# expect: unknown(unsupported)
// An integer whose own address is taken may be given anything.
#include <assert.h>
#include <stdint.h>
int x = 1, y = 2;
void other(uintptr_t *n) { *n = *n + ((uintptr_t)&y - (uintptr_t)&x); }
int main(void) {
  uintptr_t n = (uintptr_t)&x;
  other(&n);
  *(int *)n = 9;
  assert(y == 2);
  return 0;
}
