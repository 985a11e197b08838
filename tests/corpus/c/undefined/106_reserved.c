//# expect: safe
// C11 7.1.3: A reserved name is defined.
#include <string.h>
size_t strlen(const char *s) {
  return 7;
}
int main(void) {
  return strlen("a") - 7;
}
