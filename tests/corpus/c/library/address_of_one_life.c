//# expect: safe
// In one life, it stays where it is; a static variable always.
#include <assert.h>
#include <stdint.h>
static uintptr_t kept(void) {
  static int x;
  return (uintptr_t)&x;
}
int main(void) {
  int x;
  uintptr_t first = (uintptr_t)&x;
  for (int i = 0; i < 3; i++)
    assert((uintptr_t)&x == first);
  assert(kept() == kept());
  return 0;
}
