// A solution: add 7 before the last three bits are cleared.

#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static int up(int x) {
  return (x + 7) & ~7;
}

int main(void) {
  int x = __VERIFIER_nondet_uchar();
  int r = up(x);
  assert(r % 8 == 0);
  assert(r >= x);
  assert(r < x + 8);
  return 0;
}
