//# expect: unsafe
#include <assert.h>
#include <errno.h>
#include <math.h>

int main(void) {
  errno = 0;
  double none = sqrt(-1.0);
  assert(none != none);
  assert(errno == 0); // FAILS
  return 0;
}
