//# expect: safe
//# flags: --property valid-deref expect: unsafe 10
// C11 7.22.5: qsort or bsearch with an invalid pointer.
#include <stdlib.h>
int compare(const void *a, const void *b) {
  return *(const int *)a - *(const int *)b;
}
int main(void) {
  int *p = 0;
  qsort(p, 2, sizeof(int), compare);
  return 0;
}
