//# expect: safe
//# flags: --property no-overflow expect: unsafe 12
//# flags: --property no-overflow --int-encoding bits expect: unsafe 12
//# flags: --signed-overflow wrap expect: unsafe 13
// Signed overflow is undefined: runs with one do not count, unless it is what must not happen.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x < 0) return 0;
  int y = x + 1;
  assert(y > x);
  return 0;
}
