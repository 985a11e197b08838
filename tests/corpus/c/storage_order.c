//# expect: rejected(E0605 5)
// The other order of bytes is not covered, also where it is said of a type that is used later.
#include <assert.h>

struct __attribute__((scalar_storage_order("big-endian"))) swapped { int number; };

int main(void) {
  struct swapped s = {1};
  assert(*(char *)&s == 0);
}
