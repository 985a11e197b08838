//# expect: safe
//# flags: --property valid-deref expect: unsafe
// All bytes may be read, also those after a difference (C11 7.24.4.1p2).
#include <string.h>
int main(void) {
  char a[2] = "a", b[4] = "bcd";
  int within = memcmp(a, b, 2);
  return within + memcmp(a, b, 4); // FAILS
}
