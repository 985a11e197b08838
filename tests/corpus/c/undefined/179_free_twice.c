//# expect: safe
//# flags: --property valid-free expect: unsafe
// C11 7.22.3.3: free of what was freed.
#include <stdlib.h>
int main(void) {
  int *p = malloc(sizeof *p);
  free(p);
  free(p); // FAILS
  return 0;
}
