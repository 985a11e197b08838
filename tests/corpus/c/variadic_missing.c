//# expect: unknown(unsupported)
// An argument that is not there: undefined (C11 7.16.1.1p2).
#include <stdarg.h>
extern void reach_error(void);
static int first(int n, ...) {
  va_list list;
  va_start(list, n);
  int x = va_arg(list, int);
  va_end(list);
  return x;
}
int main(void) {
  if (first(0) == 3) reach_error();
  return 0;
}
