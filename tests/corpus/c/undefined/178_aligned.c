//# expect: safe
// C11 7.22.3.1: aligned_alloc with an alignment that does not exist.
#include <stdlib.h>
int main(void) {
  char *p = aligned_alloc(3, 5);
  free(p);
  return 0;
}
