//# expect: unknown(unsupported)
// The first byte of an address may be any: whether this fails depends on where x lies.
#include <assert.h>

union value { int *pointer; unsigned char bytes[sizeof(int *)]; };

int main(void) {
  int x = 1;
  union value v;
  v.pointer = &x;
  assert(v.bytes[0] == 0);
  return 0;
}
