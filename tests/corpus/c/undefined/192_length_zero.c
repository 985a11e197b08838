//# expect: safe
// C11 7.24.1: a null pointer and a length of 0.
#include <string.h>
int main(void) {
  char *p = 0;
  char a[1];
  memcpy(a, p, 0);
  return 0;
}
