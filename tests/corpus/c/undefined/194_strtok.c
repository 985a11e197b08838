//# expect: safe
// C11 7.24.5.8: The first call of strtok has a null pointer.
#include <string.h>
int main(void) {
  char *s = strtok(0, " ");
  return s != 0;
}
