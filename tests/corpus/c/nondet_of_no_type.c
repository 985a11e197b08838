//# expect: unknown(unsupported)
#include <assert.h>

int main(void) {
  int x = __VERIFIER_nondet_something();
  assert(x == 0);
  return 0;
}
