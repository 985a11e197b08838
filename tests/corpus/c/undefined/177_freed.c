//# expect: safe
//# flags: --property valid-deref expect: unsafe
// C11 7.22.3: An access to what was freed.
#include <stdlib.h>
int main(void) {
  int *p = malloc(sizeof *p);
  *p = 1;
  free(p);
  return *p; // FAILS
}
