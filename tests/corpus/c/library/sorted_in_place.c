//# expect: safe
// The comparison gets pointers into the array (C11 7.22.5.2p3).
#include <stdlib.h>
#include <assert.h>
static int a[3] = {3, 1, 2};
static int order(const void *left, const void *right) {
  const int *x = left, *y = right;
  assert(x == a || x == a + 1 || x == a + 2);
  assert(y == a || y == a + 1 || y == a + 2);
  return (*x > *y) - (*x < *y);
}
int main(void) {
  qsort(a, 3, sizeof *a, order);
  return 0;
}
