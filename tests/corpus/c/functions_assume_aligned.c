//# expect: unsafe
#include <assert.h>

int main(void) {
  int x = 1;
  int *p = __builtin_assume_aligned(&x, 4);
  *p = 5;
  assert(*p == 5 && p == &x);
  assert(x == 1); // FAILS
  return 0;
}
