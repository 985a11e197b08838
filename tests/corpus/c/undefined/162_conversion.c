//# expect: safe
//# flags: --property valid-format expect: unsafe 6
// C11 7.21.6: A conversion that does not exist.
#include <stdio.h>
int main(void) {
  printf("%y\n", 1);
  return 0;
}
