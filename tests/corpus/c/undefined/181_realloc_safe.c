//# expect: safe
//# flags: --property uninitialised
// C11 7.22.3.5: Not so here: The new bytes of realloc are read.
#include <stdlib.h>
int main(void) {
  int *p = malloc(sizeof *p);
  p[0] = 1;
  p = realloc(p, 2 * sizeof *p);
  int x = p[0];
  free(p);
  return x;
}
