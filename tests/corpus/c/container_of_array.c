//# expect: safe
// From a member that is an array to the structure around it: the pointer leaves the array.
#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

#define container_of(pointer, type, member) ((type *)((char *)(pointer) - offsetof(type, member)))

struct named {
  int before;
  char name[4];
  int behind;
};

static void count(char *name) {
  struct named *around = container_of(name, struct named, name);
  around->before = 7;
  around->behind++;
}

int main(void) {
  struct named a = {1, "ab", 3}, *b = malloc(sizeof *b);
  if (b == NULL) return 0;
  *b = a;
  count(a.name);
  count(b->name);
  assert(a.before == 7 && a.behind == 4);
  assert(b->before == 7 && b->behind == 4);
  assert(a.name[1] == 'b');
  return 0;
}
