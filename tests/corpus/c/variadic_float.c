//# expect: safe
// Arguments of type `float` are passed as `double` (C11 6.5.2.2p6).
#include <assert.h>
#include <stdarg.h>

static double scaled(int n, ...) {
  va_list list;
  va_start(list, n);
  int factor = va_arg(list, int);
  double x = va_arg(list, double);
  va_end(list);
  return factor == 2 ? x + x : x;
}

int main(void) {
  float f = 0.5f;
  assert(scaled(2, 2, f) == 1.0);
  return 0;
}
