//# expect: safe
//# flags: --property valid-deref
// C11 7.24.1: Not so here: A string function beyond the end of an object.
#include <string.h>
int main(void) {
  char a[3];
  strcpy(a, "ab");
  return a[2];
}
