//# expect: safe
//# flags: --property valid-deref expect: unsafe 9
// So are strings that are printed into others.
#include <stdio.h>
int main(void) {
  char text[2], made[16];
  text[0] = text[1] = 'a';
  made[0] = 0;
  snprintf(made, sizeof made, "<%s>", text);
  return made[0] == 'x';
}
