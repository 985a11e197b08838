//# expect: safe
//# flags: --property valid-deref
// C11 7.22.3: Not so here: An access to what was freed.
#include <stdlib.h>
int main(void) {
  int *p = malloc(sizeof *p);
  *p = 1;
  int x = *p;
  free(p);
  return x;
}
