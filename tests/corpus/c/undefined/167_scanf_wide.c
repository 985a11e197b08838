//# expect: unknown(unsupported)
// C11 7.21.6.2: Wide characters for %ls that are none.
#include <stdio.h>
int main(void) {
  int a[8];
  scanf("%7ls", a);
  return 0;
}
