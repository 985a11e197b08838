//# expect: safe
// Structures as variable arguments: each is passed as a copy.
#include <assert.h>
#include <stdarg.h>
struct pair { int x, y; };
struct large { int a[10]; char c; int *p; };
union either { int number; char bytes[4]; };

static int sum(int n, ...) {
  va_list list, again;
  va_start(list, n);
  va_copy(again, list);
  int result = 0;
  for (int i = 0; i < n; i++) {
    struct pair pair = va_arg(list, struct pair);
    result = result * 10 + pair.x + pair.y;
    struct large large = va_arg(list, struct large);
    result += large.a[9] * 100 + large.c;
    *large.p += 1;
    large.p = 0;
  }
  assert(va_arg(list, union either).number == 6);
  assert(va_arg(again, struct pair).y == 2);
  va_end(again);
  va_end(list);
  return result;
}

int main(void) {
  int counter = 0;
  struct pair pair = {1, 2};
  struct large large = {.a[9] = 3, .c = 4, .p = &counter};
  union either either = {6};
  assert(sum(1, pair, large, either) == 307);
  assert(counter == 1 && large.p == &counter);
  pair.y = 2;
  assert(sum(2, pair, large, (struct pair){5, 1}, large, either) == 3380);
  assert(counter == 3);
}
