//# expect: unknown(unsupported)
// How often it compares, is open.
#include <assert.h>
#include <stdlib.h>
static int calls;
static int order(const void *left, const void *right) {
  calls++;
  return *(const int *)left - *(const int *)right;
}
int main(void) {
  int a[3] = {3, 1, 2};
  qsort(a, 3, sizeof *a, order);
  assert(calls <= 3);
  return 0;
}
