//# expect: safe
//# flags: --malloc-may-fail --property valid-deref expect: unsafe 11
//# flags: --property valid-deref expect: safe
//# flags: --malloc-may-fail --property valid-free expect: unsafe 16
// The result of an allocation is used before it is looked at, and the old object after it was freed.
#include <stdlib.h>

int main(void) {
  int *p = malloc(4 * sizeof *p), *q;
  if (p == NULL) return 1;
  q = realloc(p, 8 * sizeof *q); q[3] = 1;
  if (q == NULL) {
    free(p);
    return 0;
  }
  free(p);
  return 0;
}
