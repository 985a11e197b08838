//# expect: unknown(unsupported)
// Equal string literals may be one object (C11 6.4.5p7).
#include <assert.h>

int main(void) {
  const char *p = "ab", *q = "ab", *r = "cd";
  assert(p != r);
  assert(p != q);
  return 0;
}
