//# expect: safe
//# flags: --property undefined expect: unsafe 9
//# flags: --property valid-deref expect: unsafe 9
// Without a zero at its end it is no string.
#include <stdio.h>
int main(void) {
  char text[2];
  text[0] = text[1] = 'a';
  printf("%s\n", text);
  return 0;
}
