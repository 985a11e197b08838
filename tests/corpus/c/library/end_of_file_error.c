//# expect: unknown(unsupported)
// After an error there may be more; that is no end of a file.
#include <assert.h>
#include <stdio.h>
int main(void) {
  if (getchar() == EOF)
    assert(getchar() == EOF);
  return 0;
}
