//# expect: safe
//# flags: --property valid-deref expect: unknown(unsupported)
// How much is read of a string with a precision is not modeled.
#include <stdio.h>
int main(void) {
  char text[2];
  text[0] = text[1] = 'a';
  printf("%.2s\n", text);
  return 0;
}
