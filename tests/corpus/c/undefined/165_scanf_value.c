//# expect: unknown(unsupported)
//# flags: --property valid-format expect: unsafe 7
// C11 7.21.6.2: What is read has no object: the `&` is missing.
#include <stdio.h>
int main(void) {
  int n = 0;
  if (scanf("%d", n) == 1)
    return n;
  return 0;
}
