//# expect: safe
//# flags: --int-encoding bits
// Zeroes over the bytes of a pointer make the null pointer.
#include <assert.h>

union both {
  int *pointer;
  unsigned long number;
};

int main(void) {
  int x = 1;
  union both u;
  u.pointer = &x;
  assert(u.pointer == &x);
  u.number = 0;
  assert(u.pointer == 0);
  return 0;
}
