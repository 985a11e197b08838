//# expect: unsafe 20
// Arguments from outside: any number, and pointers to anything, or nothing.
#include <assert.h>
#include <stddef.h>

struct point { int x, y; };

static int double_of(int x) { return 2 * x; }

int clamp(int x) {
  int y = x >= 1000000 ? 1000000 : x < 0 ? 0 : x + 1;
  assert(y >= 0 && y <= 1000000 && double_of(y) % 2 == 0);
  return y;
}

void move(struct point *p, int by) {
  if (p == NULL) return;
  p->x = by;
  p->y = 1;
  assert(p->x == by && p->x != 7); // FAILS
}
