//# expect: safe
// A pointer that is written to an element of a member, through a pointer to void: what lies behind that member stays.
#include <assert.h>
#include <string.h>

struct places {
  int *two[2];
  int *last;
};

static void put(int *place, void *at) { memcpy(at, &place, sizeof place); }

int main(void) {
  int x = 1, y = 2;
  struct places all = {{&x, &x}, &x};
  for (int i = 0; i < 2; i++) put(&y, &all.two[i]);
  *all.two[1] = 3;
  *all.last = 4;
  assert(x == 4 && y == 3);
  return 0;
}
