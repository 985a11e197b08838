//# expect: unsafe 11
//# flags: --property array-bounds expect: unsafe 10
// A row of an array goes over into the next one.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int m[2][3] = {{0}};
  int i = __VERIFIER_nondet_int();
  if (i < 0 || i > 5) return 0;
  m[0][i] = 9;
  assert(m[1][0] == 0);
  return 0;
}
