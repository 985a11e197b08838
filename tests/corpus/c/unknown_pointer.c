//# expect: unsafe
#include <assert.h>
#include <stdlib.h>
struct node { struct node *next; int value; };
struct node *outside(void);

int main(void) {
  struct node *first = outside();
  struct node *own = malloc(sizeof *own);
  own->value = 3;
  if (!first) return 0;
  first->value = 4;
  assert(first != own && own->value == 3);
  struct node *behind = first->next;
  struct node *later = malloc(sizeof *later);
  assert(behind != later);
  later->value = 5;
  if (behind) behind->value = 6;
  assert(later->value == 5);
  // It may be the same one: a list may be a circle.
  first->value = 1;
  if (behind) assert(first->value == 1 && behind->value == 6); // FAILS
  return 0;
}
