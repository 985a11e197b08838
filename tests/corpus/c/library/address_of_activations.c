//# expect: unknown(unsupported)
// A local variable may lie elsewhere in its next life, or at the same place (C11 6.2.4p2).
#include <assert.h>
#include <stdint.h>
uintptr_t f(void) {
  int x;
  return (uintptr_t)&x;
}
uintptr_t g(void) {
  int deeper[100];
  deeper[0] = 1;
  return f() + (deeper[0] - 1);
}
int main(void) {
  assert(f() == g());
  return 0;
}
