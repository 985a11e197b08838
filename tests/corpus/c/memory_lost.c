//# expect: safe
//# flags: --property valid-memcleanup expect: unsafe 18
//# flags: --property valid-memtrack expect: unsafe 18
//# flags: --property valid-memsafety expect: unsafe 18
// What only the variables of `main` lead to is lost when it returns.
#include <stdlib.h>

struct node { struct node *next; };

static struct node *new_node(struct node *next) {
  struct node *node = malloc(sizeof *node);
  node->next = next;
  return node;
}

extern int __VERIFIER_nondet_int(void);

int main(void) {
  struct node *list = new_node(new_node(NULL));
  if (__VERIFIER_nondet_int()) free(list->next);
  free(list);
  return 0;
}
