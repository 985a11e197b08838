//# expect: unsafe 6
// The processor time may be unknown.
#include <assert.h>
#include <time.h>
int main(void) {
  assert(clock() >= 0);
  return 0;
}
