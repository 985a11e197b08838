//# expect: safe
//# flags: --int-encoding bits
// Division rounds towards zero (C11 6.5.5).
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
  assert(-7 / 2 == -3 && -7 % 2 == -1);
  assert(7 / -2 == -3 && 7 % -2 == 1);
  int a = __VERIFIER_nondet_int();
  if (a > 100 || a < -100) return 0;
  int q = a / 3, r = a % 3;
  assert(q * 3 + r == a);
  assert(r > -3 && r < 3);
  if (a < 0) assert(r <= 0);
  return 0;
}
