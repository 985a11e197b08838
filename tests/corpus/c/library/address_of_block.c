//# expect: unknown(unsupported)
// A variable of a block lives anew in each round.
#include <assert.h>
#include <stdint.h>
int main(void) {
  uintptr_t last = 0;
  for (int i = 0; i < 2; i++) {
    int x = i;
    if (i == 1)
      assert((uintptr_t)&x == last);
    last = (uintptr_t)&x;
  }
  return 0;
}
