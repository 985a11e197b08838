//# expect: safe
// C11 7.22.5: The comparison for qsort changes the array or has no order.
#include <assert.h>
#include <stdlib.h>
int compare(const void *a, const void *b) {
  return 1;
}
int main(void) {
  int a[2] = {2, 1};
  qsort(a, 2, sizeof(int), compare);
  assert(a[0] == 1);
  return 0;
}
