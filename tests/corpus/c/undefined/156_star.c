//# expect: safe
//# flags: --property valid-format expect: unsafe 6
// C11 7.21.6.1: `*` in a format without its argument, which is an int.
#include <stdio.h>
int main(void) {
  printf("%*d\n", 7L, 1);
  return 0;
}
