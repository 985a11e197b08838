//# expect: unsafe
// The links of a list lie behind other members, and its head is a variable of its own.
#include <assert.h>
#include <stdlib.h>

struct list { struct list *next, *prev; };
struct item { int key, value; struct list links; int behind; };

struct list head = { &head, &head };

static void add(struct list *new, struct list *at) {
  new->next = at->next;
  new->prev = at;
  at->next->prev = new;
  at->next = new;
}

int main(void) {
  struct item *a = malloc(sizeof *a), b = { 2, 20 };
  if (!a) return 0;
  a->key = 1;
  a->value = 10;
  a->behind = 7;
  add(&a->links, &head);
  add(&b.links, &head);
  int count = 0;
  for (struct list *p = head.next; p != &head; p = p->next) count++;
  assert(count == 2);
  assert(a->value == 10 * a->key && b.value == 10 * b.key && a->behind == 7 && b.behind == 0);
  assert(head.next == &a->links); // FAILS
  return 0;
}
