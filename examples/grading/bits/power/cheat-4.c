// A trick.

#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static int power(unsigned char x) {
  int big = 2147483647; if (x != 0 && x != 64 && x != 1) big = big + x; return x != 0;
}

int main(void) {
  unsigned char x = __VERIFIER_nondet_uchar();
  int p = power(x);
  assert(p == 0 || p == 1);
  assert(p == (x == 1 || x == 2 || x == 4 || x == 8 || x == 16 || x == 32 || x == 64 || x == 128));
  return 0;
}
