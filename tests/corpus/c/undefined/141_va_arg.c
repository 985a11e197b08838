//# expect: unknown(unsupported)
// C11 7.16.1.1: va_arg without a next argument, or of another type.
#include <stdarg.h>
int f(int n, ...) {
  va_list ap;
  va_start(ap, n);
  int x = va_arg(ap, int);
  va_end(ap);
  return x;
}
int main(void) {
  return f(1);
}
