//# expect: unknown(unsupported)
//# flags: --property valid-format expect: unsafe 7
// C11 7.21.6: `%n` with flags or a width.
#include <stdio.h>
int main(void) {
  int written;
  printf("text%5n\n", &written);
  return 0;
}
