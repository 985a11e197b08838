//# expect: unknown(unsupported)
// C11 7.21.5.6: The buffer given to setvbuf is used.
#include <stdio.h>
char buffer[BUFSIZ];
int main(void) {
  setvbuf(stdout, buffer, 0, sizeof buffer);
  return buffer[0];
}
