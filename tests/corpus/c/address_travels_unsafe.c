//# expect: unsafe
// A pointer that travels through integers leads to its object: who writes there changes it.
#include <assert.h>
#include <stdint.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = 1, y = 2;
  uintptr_t a = __VERIFIER_nondet_int() ? (uintptr_t)&x : (uintptr_t)&y, b;
  b = a;
  int *p = (int *)b;
  *p = 9;
  assert(y == 2); // FAILS
  return 0;
}
