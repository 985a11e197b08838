//# expect: safe
//# flags: --property undefined expect: unsafe 8
//# flags: --property uninitialised expect: unsafe 8
#include <stdio.h>
int main(void) {
  char text[4];
  text[3] = 0;
  fputs(text, stdout);
  return 0;
}
