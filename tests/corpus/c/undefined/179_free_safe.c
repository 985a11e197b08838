//# expect: safe
//# flags: --property valid-free
// C11 7.22.3.3: Not so here: free of what was not allocated, or was freed before.
#include <stdlib.h>
int main(void) {
  int *p = malloc(sizeof *p);
  free(p);
  free(0);
  return 0;
}
