//# expect: safe
// C11 6.7.3.1: An object is accessed beside a restrict pointer to it.
#include <assert.h>
int f(int *restrict p, int *restrict q) {
  *p = 1;
  *q = 2;
  return *p;
}
int main(void) {
  int x;
  assert(f(&x, &x) == 2);
  return 0;
}
