//# expect: unknown(unsupported)
// The same where it is followed in one place: it may be the address of x.
#include <assert.h>
#include <stdint.h>
extern uintptr_t __VERIFIER_nondet_ulong(void);
int *kept;

int main(void) {
  int x = 3;
  uintptr_t address = (uintptr_t)&x, n = __VERIFIER_nondet_ulong();
  kept = (int *)n;
  if (n == address) *kept = 4;
  assert(x == 3);
}
