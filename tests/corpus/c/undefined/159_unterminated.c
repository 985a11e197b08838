//# expect: safe
//# flags: --property valid-deref expect: unsafe 7
// C11 7.21.6.1: %s of a string that does not end.
#include <stdio.h>
int main(void) {
  char a[2] = {'a', 'b'};
  printf("%s", a);
  return 0;
}
