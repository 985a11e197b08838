//# expect: unknown(unsupported)
// Who computes with the bytes of a pointer has an address, and what is made of that is not covered.
#include <assert.h>

int main(void) {
  int x = 1;
  int *p = &x, *q;
  unsigned char t[sizeof p];
  for (unsigned i = 0; i < sizeof p; i++) t[i] = ((unsigned char *)&p)[i] ^ 1;
  for (unsigned i = 0; i < sizeof p; i++) ((unsigned char *)&q)[i] = t[i] ^ 1;
  *q = 5;
  assert(x == 1);
  return 0;
}
