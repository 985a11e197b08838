//# expect: safe
#include <assert.h>
#include <stdlib.h>

int main(void) {
  int *p = malloc(sizeof *p), *q = malloc(sizeof *q);
  free(0);
  free(q);
  free(p);
  free(p);
  assert(0);
  return 0;
}
