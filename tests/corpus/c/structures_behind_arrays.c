//# expect: unsafe
// Members of a union are elements of its array, too. The first of them is where the structure around the union starts, and
// only from there what is behind the array is as far away as the structure says.
#include <assert.h>

union four { int all[4]; struct { int x, y, z, w; } each; };
struct around { union four four; int behind; };

int nondet(void);

int main(void) {
  struct around a;
  int i = nondet();
  if (i < 0 || i > 3) return 0;
  a.four.all[i] = 1;
  a.behind = 5;
  int second = nondet();
  int *p = second ? &a.four.each.y : &a.four.each.x;
  if (!second) {
    struct around *q = (struct around *)p;
    q->behind = 7;
    assert(a.behind == 5); // FAILS
  }
  int *r = &a.four.each.y;
  if (nondet()) r = &a.four.each.x;
  if (r == &a.four.all[0]) {
    struct around *q = (struct around *)r;
    q->behind = 8;
    assert(a.behind == 8);
    q->four.all[i] = 9;
    assert(a.behind == 9); // FAILS
  }
  return 0;
}
