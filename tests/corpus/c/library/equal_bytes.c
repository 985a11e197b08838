//# expect: unsafe
// The sign of bcmp says nothing.
#include <assert.h>
#include <strings.h>
int main(void) {
  unsigned char a[2] = {1, 2}, b[2] = {1, 3};
  assert(bcmp(a, b, 1) == 0 && bcmp(a, b, 2) != 0);
  assert(bcmp(a, b, 2) < 0); // FAILS
  return 0;
}
