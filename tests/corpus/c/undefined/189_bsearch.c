//# expect: safe
// C11 7.22.5.1: bsearch in an array without order.
#include <assert.h>
#include <stdlib.h>
int compare(const void *a, const void *b) {
  return *(const int *)a - *(const int *)b;
}
int main(void) {
  int a[3] = {3, 1, 2};
  int key = 3;
  assert(bsearch(&key, a, 3, sizeof(int), compare) == a);
  return 0;
}
