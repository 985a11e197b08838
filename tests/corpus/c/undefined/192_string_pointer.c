//# expect: safe
//# flags: --property valid-deref expect: unsafe 7
// C11 7.24.1: A string function with an invalid pointer.
#include <string.h>
int main(void) {
  char *p = 0;
  return strlen(p);
}
