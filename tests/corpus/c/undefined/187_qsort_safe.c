//# expect: safe
//# flags: --property valid-deref
// C11 7.22.5: Not so here: qsort or bsearch with an invalid pointer.
#include <stdlib.h>
int compare(const void *a, const void *b) {
  return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}
int main(void) {
  int a[2] = {2, 1};
  qsort(a, 2, sizeof(int), compare);
  return a[0];
}
