//# expect: safe
// C11 6.5.6: A pointer is moved out of its array.
#include <assert.h>
int main(void) {
  int a[2];
  int *p = a + 5;
  assert(p - a == 5);
  return 0;
}
