//# expect: unknown(unsupported)
// A pointer whose bytes are not those of one pointer.
#include <assert.h>

union value { int *pointer; unsigned char bytes[sizeof(int *)]; };

int main(void) {
  int x = 1;
  union value v;
  v.pointer = &x;
  v.bytes[0] = 0;
  assert(v.pointer != &x);
  return 0;
}
