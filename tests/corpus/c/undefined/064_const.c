//# expect: safe
// C11 6.7.3: A const object is modified through a pointer.
#include <assert.h>
int main(void) {
  const int x = 1;
  *(int *)&x = 2;
  assert(x == 2);
  return 0;
}
