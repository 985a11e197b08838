//# expect: safe
// The first argument is the key, the second one an element (C11 7.22.5.1p3).
#include <assert.h>
#include <stdlib.h>
static int a[3] = {1, 2, 3}, key = 5;
static int order(const void *left, const void *right) {
  assert(left == &key);
  const int *element = right;
  assert(element == a || element == a + 1 || element == a + 2);
  return key - *element;
}
int main(void) {
  int *found = bsearch(&key, a, 3, sizeof *a, order);
  assert(found == 0 || found == a || found == a + 1 || found == a + 2);
  return 0;
}
