//# expect: unsafe
//# warns: W0605
// The header that defines the limit is not included.
#include <assert.h>
static int clip(long long x) {
#if INT32_MAX > 0xffff
  return x > 100 ? 100 : (int)x;
#else
  return (int)x;
#endif
}
int main(void) { assert(clip(1000) == 100); } // FAILS
