//# expect: safe
// A number that is kept in a pointer nobody follows may be any number, also when addresses are known as numbers.
#include <assert.h>
#include <stdint.h>
extern uintptr_t __VERIFIER_nondet_ulong(void);
int (*kept)(int);

int main(void) {
  int x = 3;
  uintptr_t address = (uintptr_t)&x, n = __VERIFIER_nondet_ulong();
  kept = (int (*)(int))n;
  n = (uintptr_t)kept;
  assert((uintptr_t)kept == n && (n != 0) == (kept != 0));
  assert(address != 0 && x == 3);
}
