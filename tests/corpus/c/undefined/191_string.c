//# expect: safe
//# flags: --property valid-deref expect: unsafe 7
// C11 7.24.1: A string function beyond the end of an object.
#include <string.h>
int main(void) {
  char a[2];
  strcpy(a, "ab");
  return 0;
}
