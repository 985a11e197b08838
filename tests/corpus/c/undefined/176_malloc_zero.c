//# expect: safe
//# flags: --property valid-deref expect: unsafe
// C11 7.22.3: An access through the result of malloc(0).
#include <stdlib.h>
int main(void) {
  char *p = malloc(0);
  *p = 1; // FAILS
  free(p);
  return 0;
}
