//# expect: safe
//# flags: --property overlap expect: safe
// C11 6.5.16.1: Not so here: An object is assigned to one that overlaps it.
#include <assert.h>
struct two { int a[2]; };
int main(void) {
  int m[4] = {1, 2, 3, 4};
  struct two *p = (struct two *)&m[0];
  struct two *q = (struct two *)&m[2];
  *q = *p;
  assert(m[3] == 2);
  return 0;
}
