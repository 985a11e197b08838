//# expect: safe
//# flags: --property valid-free expect: unsafe
// C11 7.22.3.3: free of what was not allocated, or was freed before.
#include <stdlib.h>
int main(void) {
  int x;
  int *p = &x;
  free(p); // FAILS
  return 0;
}
