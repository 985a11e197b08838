//# expect: rejected(E0601 4)
// The other order of bytes is not covered.
#include <assert.h>
#pragma scalar_storage_order big-endian
struct swapped { int number; };

int main(void) {
  struct swapped s = {1};
  assert(*(char *)&s == 0);
}
