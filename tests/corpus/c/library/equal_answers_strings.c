//# expect: safe
// The same for strings.
#include <assert.h>
#include <string.h>
int main(void) {
  char a[] = "ab", b[] = "ac";
  int order = strcmp(a, b);
  assert(order == strcmp(a, b) && order < 0);
  assert(strncmp(a, b, 2) == strncmp(a, b, 2));
  return 0;
}
