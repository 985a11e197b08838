//# expect: unsafe
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; int value; };

int main(void) {
  struct node *list = 0;
  int n = 0;
  while (n < 3 && __VERIFIER_nondet_int()) {
    struct node *node = malloc(sizeof *node);
    node->next = list;
    node->value = n++;
    list = node;
  }
  if (list) assert(list->value == n - 1);
  if (n == 2) assert(list->next->next == 0);
  assert(n < 3); // FAILS
  return 0;
}
