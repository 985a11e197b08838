//# expect: safe
//# flags: --property no-overflow expect: unsafe 11
//# flags: --property shift-range expect: unsafe 11 13
// A count that is negative or too large: of a signed number to the left, it counts as an overflow, too.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int count = __VERIFIER_nondet_int();
  if (count > 3) return 0;
  int x = 1 << count;
  assert(x >= 1 && x <= 8);
  unsigned y = 8u >> (count - 1);
  assert(y <= 8);
  return 0;
}
