//# expect: unknown(unsupported)
// So does a parameter.
#include <assert.h>
#include <stdint.h>
static uintptr_t where(int parameter) { return (uintptr_t)&parameter; }
static uintptr_t deeper(int parameter) { return where(parameter); }
int main(void) {
  assert(where(1) == deeper(1));
  return 0;
}
