//# expect: safe
//# assumes not: from left to right
// Sequence points, and operands that do not meet: the order does not matter, and nothing is assumed about it.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
struct pair { int a, b; };
static int h;
static int twice(int x) { int y = x; y += x; return y; }
static int next(void) { return ++h; }
static int fact(int n) { return n < 2 ? 1 : fact(n - 1) * n; }
int main(void) {
  int i = 0, j, a[3] = {1, 2, 3}, b[3] = {4, 5, 6};
  struct pair s = {1, 2};
  i = twice(i++);
  i = (i++, 5);
  i = i++ && i;
  j = i++ ? i : 0;
  int *p = a, *q = b;
  *p++ = *q++;
  j = a[0] + twice(j) + fact(2);
  s.a = s.b++;
  assert(s.a++ + s.b == 5);
  int x = __VERIFIER_nondet_int() - __VERIFIER_nondet_int() > 3;
  assert(x + next() <= 2);
  assert(next() == 2 && next() == 3);
  a[i] = (j = 1);
  h += next();
  return 0;
}
