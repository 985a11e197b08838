//# expect: safe
//# flags: --property valid-memcleanup expect: unsafe 8
//# flags: --property valid-memtrack expect: unsafe 8
// Memory whose address nobody keeps.
#include <stdlib.h>
static int *unused;

int main(void) {
  unused = malloc(4);
  free(unused);
  malloc(4);
  return 0;
}
