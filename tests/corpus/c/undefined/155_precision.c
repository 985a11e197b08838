//# expect: safe
//# flags: --property valid-format expect: unsafe 6
// C11 7.21.6.1: A precision where there must be none.
#include <stdio.h>
int main(void) {
  printf("%.3c\n", 'x');
  return 0;
}
