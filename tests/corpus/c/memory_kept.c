//# expect: safe
//# flags: --property valid-memcleanup expect: unsafe 14
//# flags: --property valid-memtrack expect: unknown(unsupported)
// What a static variable may lead to when `main` returns is not lost; what other variables lead to is freed.
#include <stdlib.h>

struct node { struct node *next; int *value; };
static struct node *kept;

struct pair { int a, b; };

extern int __VERIFIER_nondet_int(void);

int main(void) {
  struct pair *local = calloc(1, sizeof *local);
  struct node *node = malloc(sizeof *node);
  node->next = NULL;
  node->value = malloc(sizeof(int));
  *node->value = local->a;
  kept = node;
  free(local);
  return 0;
}
