//# expect: safe
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static int one(int x) { return x + 1; }
static int two(int x) { return x + 2; }
static int (*const table[2])(int) = {one, two};

int main(void) {
  int (*f)(int) = __VERIFIER_nondet_int() ? one : two;
  int r = f(1);
  assert(r == 2 || r == 3);
  assert(table[1](5) == 7);
  assert(f != 0);
  return 0;
}
