//# expect: unsafe
// The same, with what would hold if the pointer stayed in the array.
#include <assert.h>
#include <stddef.h>

struct named {
  int before;
  char name[4];
  int behind;
};

int main(void) {
  struct named a = {1, "ab", 3};
  char *name = a.name;
  name++;
  struct named *around = (struct named *)(void *)(name - offsetof(struct named, name) - 1);
  around->behind = 9;
  assert(a.before == 1);
  assert(a.behind == 3); // FAILS
  return 0;
}
