//# expect: unknown(unsupported)
// The other way round: the place may be the same again.
#include <assert.h>
#include <stdint.h>
uintptr_t f(void) {
  int x;
  return (uintptr_t)&x;
}
int main(void) {
  uintptr_t first = f();
  assert(first != f());
  return 0;
}
