//# expect: unknown(unsupported)
// Which number it is, only the library knows.
#include <assert.h>
#include <stdlib.h>

int main(void) {
  assert(atoi("2147483648") == 5);
  return 0;
}
