//# expect: unknown(unsupported)
// C11 6.5.8: < of pointers into different objects.
#include <assert.h>

int main(void) {
  int a, b;
  int *p = &a, *q = &b;
  assert(p < q);
  return 0;
}
