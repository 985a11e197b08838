//# expect: safe
//# flags: --property no-overflow expect: unsafe 12
//# flags: --property no-overflow --int-encoding bits expect: unsafe 12
//# flags: --property shift-range expect: safe
// Shifting a negative number to the left is undefined (C11 6.5.7), even by 0; gcc shifts it as if it were unsigned.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x < -4 || x > 4) return 0;
  int y = x << 1;
  assert(y == 2 * x);
  return 0;
}
