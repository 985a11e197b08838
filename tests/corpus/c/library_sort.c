//# expect: unsafe
#include <assert.h>
#include <stdlib.h>
struct pair { int key; int value; };

int order(const void *left, const void *right) {
  return ((const struct pair *)left)->key - ((const struct pair *)right)->key;
}

int main(void) {
  struct pair pairs[2] = {{1, 1}, {1, 2}};
  qsort(pairs, 2, sizeof *pairs, order);
  assert(pairs[0].key == 1);
  // The order of equal elements is open.
  assert(pairs[0].value == 1); // FAILS
  return 0;
}
