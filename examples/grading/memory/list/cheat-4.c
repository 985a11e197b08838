// A trick.

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

static void release(struct node *list) { if (!list) return; if (list->next) { if (list->next->next) free(list->next->next); free(list->next); } free(list); }

int main(void) {
  release(push(1, push(2, 0)));
  return 0;
}
