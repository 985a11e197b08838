//# expect: unknown(unsupported)
// An integer whose own address an initialiser takes may be given anything.
#include <assert.h>
#include <stdint.h>
int a[2] = {1, 2};
uintptr_t n;
uintptr_t *const through = &n;
int main(void) {
  n = (uintptr_t)&a[0];
  *through += sizeof(int);
  *(int *)n = 9;
  assert(a[1] == 2);
  return 0;
}
