//# expect: safe
//# flags: --property valid-deref expect: safe
// C11 7.21.6.1: %s of a string that ends.
#include <stdio.h>
int main(void) {
  char a[3] = {'a', 'b'};
  printf("%s", a);
  return 0;
}
