//# expect: unknown(unsupported)
// Who computes with an address makes any pointer of it.
#include <assert.h>
#include <stdint.h>
int main(void) {
  int a[2] = {1, 2};
  uintptr_t n = (uintptr_t)&a[0];
  n += sizeof(int);
  *(int *)n = 9;
  assert(a[1] == 2);
  return 0;
}
