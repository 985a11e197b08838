//# expect: unknown(unsupported)
// C11 6.9.1: A function ends without return, and its value is used.
#include <assert.h>
int f(int x) {
  if (x)
    return 1;
}
int main(void) {
  int y = f(0);
  assert(y == 1);
  return 0;
}
