//# expect: safe
//# flags: --property valid-deref expect: safe
// A number is read up to the end of its text at most (C11 7.22.1).
#include <stdlib.h>

int main(void) {
  char text[] = "1.5";
  char *end;
  double number = strtod(text, &end);
  return number > 1 && *end == 0;
}
