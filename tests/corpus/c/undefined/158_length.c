//# expect: safe
//# flags: --property valid-format expect: unsafe 6
// C11 7.21.6: A length modifier where there must be none.
#include <stdio.h>
int main(void) {
  printf("%hs\n", "text");
  return 0;
}
