//# expect: safe
//# flags: --property valid-deref
// C11 7.21.6.2: Not so here: The array for %s or %c is too short.
#include <stdio.h>
int main(void) {
  char a[3];
  return scanf("%2s", a) == 5;
}
