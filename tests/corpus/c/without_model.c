//# expect: unknown(unsupported)
// What a header of the system declares has a meaning that is not known here.
#include <assert.h>
#include <stdio.h>

int main(void) {
  int x = 1;
  assert(tmpnam(0) != (char *)&x);
  return 0;
}
