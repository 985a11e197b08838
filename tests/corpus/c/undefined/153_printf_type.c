//# expect: safe
//# flags: --property valid-format expect: unsafe 6
// C11 7.21.6: Too few arguments for a format, or of wrong types.
#include <stdio.h>
int main(void) {
  printf("%s\n", 1);
  return 0;
}
