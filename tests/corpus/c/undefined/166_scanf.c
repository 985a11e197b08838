//# expect: safe
//# flags: --property valid-deref expect: unsafe 7
// C11 7.21.6.2: The array for %s or %c is too short.
#include <stdio.h>
int main(void) {
  char a[2];
  scanf("%s", a);
  return 0;
}
