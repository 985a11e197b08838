//# expect: unknown(unsupported)
// A structure is no pointer to one.
#include <assert.h>
#include <stdarg.h>
struct pair { int x, y; };
static int second(int n, ...) {
  va_list list;
  va_start(list, n);
  int y = va_arg(list, struct pair *)->y;
  va_end(list);
  return y;
}
int main(void) {
  struct pair pair = {1, 2};
  assert(second(0, pair) == 2);
}
