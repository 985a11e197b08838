//# expect: safe
#include <assert.h>
#include <stdlib.h>
#include <string.h>
static int order(const void *left, const void *right) {
  return strcmp(*(char *const *)left, *(char *const *)right);
}
static int numbers(const void *left, const void *right) {
  int x = *(const int *)left, y = *(const int *)right;
  return (x > y) - (x < y);
}
int main(void) {
  int a[3] = {3, 1, 2};
  qsort(a, 3, sizeof *a, numbers);
  assert(a[0] == 1 && a[1] == 2 && a[2] == 3);
  int key = 2;
  int *found = bsearch(&key, a, 3, sizeof *a, numbers);
  assert(found == a + 1);
  return 0;
}
