//# expect: safe
//# flags: --property valid-memsafety expect: safe
//# flags: --property valid-memcleanup expect: safe
// Every element of a list is freed before the end, some of them early.
#include <stdlib.h>

struct node { struct node *next; };

int main(void) {
  struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b);
  a->next = b;
  b->next = NULL;
  a = realloc(a, 2 * sizeof *a);
  free(a->next);
  free(a);
  return 0;
}
