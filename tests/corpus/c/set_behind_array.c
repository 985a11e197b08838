//# expect: unknown(unsupported)
// Zeroes from the middle of a member into the next one: compiled, both are set.
#include <assert.h>
#include <string.h>

struct numbers {
  int two[2];
  int last;
};

int main(void) {
  struct numbers all = {{1, 2}, 3}, *numbers = &all;
  memset(&numbers->two[1], 0, 2 * sizeof(int));
  assert(all.last == 3);
  return 0;
}
