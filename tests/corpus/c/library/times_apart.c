//# expect: safe
// The difference of times has no overflow.
#include <assert.h>
#include <limits.h>
#include <time.h>
int main(void) {
  assert(difftime(LONG_MAX, LONG_MIN) == 18446744073709551616.0);
  assert(difftime(LONG_MIN, LONG_MAX) == -18446744073709551616.0);
  assert(difftime(3, 5) == -2.0);
  return 0;
}
