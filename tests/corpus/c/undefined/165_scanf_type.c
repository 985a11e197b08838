//# expect: unknown(unsupported)
//# flags: --property valid-format expect: unsafe 7
// C11 7.21.6.2: What is read does not fit its object.
#include <stdio.h>
int main(void) {
  short s;
  scanf("%d", &s);
  return 0;
}
