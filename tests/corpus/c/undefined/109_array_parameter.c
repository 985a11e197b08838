//# expect: safe
//# flags: --property valid-deref expect: unsafe
// C11 7.1.4: A pointer for a library function leads to fewer elements than it uses.
#include <string.h>
int main(void) {
  char a[2];
  memset(a, 0, 3); // FAILS
  return 0;
}
