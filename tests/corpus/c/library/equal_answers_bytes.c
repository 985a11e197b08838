//# expect: safe
// The same for bytes.
#include <assert.h>
#include <string.h>
int main(void) {
  unsigned char a[2] = {1, 2}, b[2] = {1, 3};
  assert(memcmp(a, b, 2) == memcmp(a, b, 2));
  return 0;
}
