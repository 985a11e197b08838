//# expect: safe
#include <assert.h>
#include <string.h>

int main(void) {
  assert(strcspn("ab", "b") == 1);
  assert(memcmp("ab", "ac", 2) < 0);
  return 0;
}
