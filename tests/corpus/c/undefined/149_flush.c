//# expect: safe
// C11 7.21.5.2: fflush of an input stream.
#include <stdio.h>
int main(void) {
  return fflush(stdin) == 5;
}
