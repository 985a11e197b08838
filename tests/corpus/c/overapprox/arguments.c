//# expect: unsafe
//# flags: -Z overapprox=only expect: unknown(unsupported)
// What is given to `...` arrives, and what is copied leaves its place as it is.
#include <stdarg.h>
#include <string.h>
extern void abort(void);
void reach_error(void) { abort(); }

static int second(int count, ...) {
  va_list list;
  va_start(list, count);
  int first = va_arg(list, int);
  int found = va_arg(list, int);
  va_end(list);
  int copy;
  memcpy(&copy, &found, sizeof copy);
  if (copy != first) reach_error(); // FAILS
  return found;
}

int main(void) {
  return second(2, 1, 3) != 3;
}
