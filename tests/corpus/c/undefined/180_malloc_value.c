//# expect: safe
//# flags: --property uninitialised expect: unsafe
// C11 7.22.3.4: What malloc gives is read before it is written.
#include <stdlib.h>
int main(void) {
  int *p = malloc(sizeof *p);
  int x = *p; // FAILS
  free(p);
  return x;
}
