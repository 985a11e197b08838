//# expect: unknown(translation)
//# flags: --property overlap expect: unsafe 16
//# flags: --confirm never expect: unsafe 17
//# assumes: objects that are copied do not overlap
// C11 6.5.16.1: An object is assigned to one that overlaps it.
#include <assert.h>
union u {
  struct { int x; int a[2]; } s;
  struct { int b[2]; int y; } t;
};
struct two { int a[2]; };
int main(void) {
  int m[3] = {1, 2, 3};
  struct two *p = (struct two *)&m[0];
  struct two *q = (struct two *)&m[1];
  *q = *p;
  assert(m[2] == 2);
  return 0;
}
