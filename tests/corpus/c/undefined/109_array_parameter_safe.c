//# expect: safe
//# flags: --property valid-deref
// C11 7.1.4: Not so here: A pointer for a library function leads to fewer elements than it uses.
#include <string.h>
int main(void) {
  char a[2];
  memset(a, 0, 2);
  return a[1];
}
