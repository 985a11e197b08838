//# expect: safe
// C11 6.5.8: Not so here: < of pointers into different objects.
#include <assert.h>
int main(void) {
  int a[2];
  int *p = &a[0], *q = &a[1];
  assert(p < q);
  return 0;
}
