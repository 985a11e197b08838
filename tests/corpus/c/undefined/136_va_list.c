//# expect: unknown(unsupported)
// C11 7.16: Variable arguments are used without va_start.
#include <stdarg.h>
int f(int n, ...) {
  va_list ap;
  return va_arg(ap, int);
}
int main(void) {
  return f(1, 2);
}
