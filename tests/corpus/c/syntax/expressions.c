//# expect: safe
#include <assert.h>
#include <stdarg.h>
#include <stddef.h>

struct P { int x; int a[3]; };

static int last(int n, ...) {
  va_list list;
  va_start(list, n);
  int seen = 0;
  for (int i = 0; i < n; i++) seen = va_arg(list, char *) && seen >= 0;
  va_end(list);
  return seen;
}

int main(void) {
  int x = 3;
  assert((sizeof(int){5} == sizeof(int) && sizeof(char[]){1, 2, 3} == 3));
  assert((sizeof(int) * 2 == 8 && sizeof x + 1 == 5 && sizeof(x)++ == 4));
  assert(((int){x}++ == 3 && (struct P){.x = 2}.x == 2 && (int[]){1, 2}[1] == 2));
  assert((-(int)x == -3 && ~(char)1 == -2 && !(x) == 0));
  assert((x-- - 1 == 2 && ++x == 3));
  assert(((x, 4) == 4 && (x ? 1 : 2, 5) == 5));
  assert(((x ?: 7) == x && (0 ?: 7) == 7));
  assert((__builtin_types_compatible_p(int, int[2]) == 0 && !(__builtin_types_compatible_p(int, double) && x)));
  assert((offsetof(struct P, a[1]) == 8));
  assert((_Generic(1.0, int: 1, double: 2, default: 3) == 2));
  assert((({ int y = x; y * 2; }) == 2 * x));
  assert((0x1FuLL == 31 && 0b101 == 5 && 017 == 15 && 1.5e1 == 15 && 0x1p4 == 16 && .5 + 1. == 1.5));
  assert(('\e' == 27 && "a" "b"[1] && L'a' == 97 && u8"x"[0] == 'x'));
  assert((last(2, "a", "b")));
  int a<:2:> = <%1, 2%>;
  assert((a<:1:> == 2));
  int m[3] = {[1] = 4, [2] 5}, r[4] = {[1 ... 2] = 6};
  struct P p = {x: 8, a: {[1] = 9}}, *q = &p;
  assert((m[1] == 4 && m[2] == 5 && r[1] == 6 && r[2] == 6 && r[3] == 0));
  assert((q->x == 8 && q->a[1] == 9 && (*q).a[2] == 0));
  int empty[2] = {}, two[2][2] = {{}, {1}};
  assert((empty[1] == 0 && two[1][0] == 1));
  return 0;
}
