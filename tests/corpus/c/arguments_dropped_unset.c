//# expect: safe
//# flags: --property uninitialised expect: unsafe
// What is printed into a string is read (C11 7.21.6.6).
#include <stdio.h>
int main(void) {
  int x;
  char text[20];
  sprintf(text, "%d", x); // FAILS
  return 0;
}
