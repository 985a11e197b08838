//# expect: safe
//# flags: --property uninitialised
// C11 7.22.3.4: Not so here: What malloc gives is read before it is written.
#include <stdlib.h>
int main(void) {
  int *p = malloc(sizeof *p);
  *p = 1;
  int x = *p;
  free(p);
  return x;
}
