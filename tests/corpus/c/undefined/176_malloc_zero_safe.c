//# expect: safe
//# flags: --property valid-deref
// C11 7.22.3: Not so here: An access through the result of malloc(0).
#include <stdlib.h>
int main(void) {
  char *p = malloc(1);
  *p = 1;
  free(p);
  return 0;
}
