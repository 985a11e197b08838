//# expect: unsafe 8
//# flags: --property uninitialised expect: unsafe 8
//# flags: --property unreach-call expect: safe
#include <stdio.h>
int main(void) {
  char text[4];
  text[3] = 0;
  fputs(text, stdout);
  return 0;
}
