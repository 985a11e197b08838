//# expect: safe
//# flags: --property valid-format expect: unsafe 6
// C11 7.21.6: `%` with something between the two.
#include <stdio.h>
int main(void) {
  printf("90%-5%\n");
  return 0;
}
