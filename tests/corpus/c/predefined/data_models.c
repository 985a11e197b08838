//# expect: safe
//# flags: --data-model ilp32 expect: unsafe 12
// Limits and types of both data models.
#include <assert.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
int main(void) {
  int bits = CHAR_BIT * sizeof(long);
  assert(__LONG_WIDTH__ == bits && __SIZEOF_POINTER__ == sizeof(void *));
#if __LONG_MAX__ == __INT_MAX__
  assert(bits == 64);
#else
  assert(PTRDIFF_MAX == LONG_MAX && INT_FAST16_MAX == LONG_MAX && bits > 32);
#endif
}
