//# expect: unsafe
// What the arguments point to counts.
#include <assert.h>
#include <string.h>
int main(void) {
  char a[] = "ab", b[] = "ac";
  int before = strcmp(a, b);
  a[1] = 'd';
  assert(strcmp(a, b) > 0);
  assert(strcmp(a, b) == before); // FAILS
  return 0;
}
