//# expect: safe
//# flags: --property valid-format expect: unsafe 8
// C11 7.21.6: A conversion that does not exist: here, the end of the line.
#include <stdio.h>
int main(void) {
  int passed = 9;
  if (passed > 8)
    printf("passed: 90%\n");
  return 0;
}
