//# expect: unsafe 29
//# flags: --int-encoding math --data-model ilp32 expect: unsafe 29
// Functions with `...` (C11 7.16).
#include <assert.h>
#include <stdarg.h>

static int sum(int n, ...) {
  va_list list, copy;
  int total = 0;
  va_start(list, n);
  va_copy(copy, list);
  while (n-- > 0) total += va_arg(list, int);
  va_end(list);
  assert(total == 0 || va_arg(copy, int) != 0);
  va_end(copy);
  return total;
}

static void store(va_list list) { *va_arg(list, int *) = va_arg(list, unsigned); }

static void set(int n, ...) { va_list list; va_start(list, n); store(list); va_end(list); }

int main(void) {
  char c = 3;
  int i = 0;
  set(1, &i, 5u);
  assert(i == 5);
  assert(sum(2, 4, c) == 7);
  assert(sum(1, 2) == i); // FAILS
  return 0;
}
