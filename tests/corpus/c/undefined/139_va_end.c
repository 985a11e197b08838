//# expect: safe
// C11 7.16.1: va_start without va_end.
#include <stdarg.h>
int f(int n, ...) {
  va_list ap;
  va_start(ap, n);
  return va_arg(ap, int);
}
int main(void) {
  return f(1, 2) - 2;
}
