//# expect: safe
//# flags: --property valid-deref expect: unknown(unsupported)
// C11 7.22.4.6: The string of getenv or strerror is modified.
#include <stdlib.h>
int main(void) {
  char *s = getenv("HOME");
  if (s)
    s[0] = 'a';
  return 0;
}
