//# expect: unknown(unsupported)
// The bytes of a pointer in another order are not that pointer.
#include <assert.h>

union both {
  int *pointer;
  unsigned char bytes[sizeof(int *)];
};

int main(void) {
  int x = 1;
  union both u;
  u.pointer = &x;
  unsigned char first = u.bytes[0];
  u.bytes[0] = u.bytes[1];
  u.bytes[1] = first;
  assert(*u.pointer == 1);
  return 0;
}
