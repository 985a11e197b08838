//# expect: unknown(unsupported)
// Which number it is, is not modelled.
#include <assert.h>
#include <stdlib.h>

int main(void) {
  assert(atof("2.5") == 2.5);
  return 0;
}
