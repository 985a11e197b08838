//# expect: safe
//# flags: --int-encoding math expect: safe
//# flags: --int-encoding bits expect: safe
// Addresses as numbers: a proof counts wherever the objects lie.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

static unsigned slot(void *p) { return (uintptr_t)p % 16; }
static int is_error(const void *p) { return (unsigned long)p >= (unsigned long)-4095L; }

int main(void) {
  int table[16] = {0}, x = 3;
  int *p = &x, *none = 0;
  table[slot(p)] = 1;
  // The same pointer has the same address, and the next one is behind it.
  assert(slot(p) == slot(&x));
  assert((uintptr_t)(p + 1) - (uintptr_t)p == sizeof(int));
  // No object is nowhere, or where the errors of the kernel are.
  assert((uintptr_t)p != 0 && (uintptr_t)none == 0);
  assert(!is_error(p) && is_error((void *)-12L));
  // There and back again.
  *(int *)(uintptr_t)p = 5;
  assert(x == 5);
  return 0;
}
