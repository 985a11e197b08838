//# expect: safe
// C11 7.16: va_arg with a list that another function used.
#include <assert.h>
#include <stdarg.h>
int next(va_list ap) {
  return va_arg(ap, int);
}
int f(int n, ...) {
  va_list ap;
  va_start(ap, n);
  int x = next(ap);
  int y = va_arg(ap, int);
  va_end(ap);
  return x + y;
}
int main(void) {
  assert(f(2, 1, 2) == 3);
  return 0;
}
