//# expect: safe
#include <assert.h>
#include <string.h>

int main(void) {
  assert(strspn("abcd", "ba") == 2 && strcspn("abcd", "d") == 3);
  assert(memcmp("abc", "abd", 3) < 0 && strncmp("abc", "abd", 2) == 0);
  return 0;
}
