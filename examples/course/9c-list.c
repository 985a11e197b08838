//# expect: safe
//# flags: --property valid-memsafety expect: unsafe
// Exercise 9c. Builds a list of two nodes and takes it down again. Something is used that is not there any more:
// `ult check --property valid-memsafety`. Mend it; everything should be freed at the end.

extern void *malloc(unsigned long);
extern void free(void *);

struct node {
  int value;
  struct node *next;
};

static struct node *push(int value, struct node *next) {
  struct node *n = malloc(sizeof *n);
  n->value = value;
  n->next = next;
  return n;
}

int main(void) {
  struct node *list = push(1, push(2, 0));
  while (list) {
    free(list);
    list = list->next; // FAILS
  }
  return 0;
}
