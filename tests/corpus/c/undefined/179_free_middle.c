//# expect: safe
//# flags: --property valid-free expect: unsafe
// C11 7.22.3.3: free of a pointer into an object.
#include <stdlib.h>
int main(void) {
  int *p = malloc(2 * sizeof *p);
  free(p + 1); // FAILS
  return 0;
}
