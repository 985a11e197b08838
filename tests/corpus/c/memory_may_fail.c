//# expect: safe
//# flags: --malloc-may-fail expect: safe
//# flags: --malloc-may-fail --property valid-memsafety expect: unsafe 9
// Where there is no memory left, `realloc` leaves the old object as it was, and nobody else frees it.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char *copy = strdup("abc");
  if (copy != NULL) assert(copy[2] == 'c');
  free(copy);

  int *p = malloc(4 * sizeof *p);
  if (p == NULL) return 1;
  p[0] = 7;
  int *q = realloc(p, 8 * sizeof *q);
  if (q == NULL) {
    assert(p[0] == 7);
    if (p[0] == 7) free(p);
    return 1;
  }
  assert(q[0] == 7);
  q[7] = 1;
  int *zeros = calloc(3, sizeof *zeros);
  if (zeros == NULL) return 1;
  assert(zeros[2] == 0);
  free(zeros);
  free(q);
  return 0;
}
