//# expect: safe
// C11 6.2.4: The value of a pointer to an object that lives no more is used.
#include <assert.h>
#include <stdlib.h>
int main(void) {
  int *p = malloc(sizeof *p);
  free(p);
  int *q = p;
  assert(q == p);
  return 0;
}
