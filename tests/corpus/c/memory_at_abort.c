//# expect: safe
//# flags: --property valid-memcleanup expect: unsafe 9
//# flags: --property valid-memsafety expect: unknown(unsupported)
// A program that aborts ends as well, and what it has not freed by then is never freed.
#include <stdlib.h>

int main(void) {
  int *p = malloc(sizeof *p);
  if (p == NULL || *p) abort();
  free(p);
  return 0;
}
