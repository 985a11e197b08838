//# expect: safe
//# flags: --property valid-format expect: unsafe 6
// C11 7.21.6.1: A flag where there must be none.
#include <stdio.h>
int main(void) {
  printf("%#d\n", 1);
  return 0;
}
