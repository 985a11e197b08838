//# expect: safe
//# flags: --int-encoding math
// The bytes of an integer, the lowest first.
#include <assert.h>
union view { unsigned int whole; unsigned char bytes[4]; };

int main(void) {
  union view v;
  v.whole = 0x01020304;
  assert(v.bytes[0] == 4 && v.bytes[3] == 1);
  v.bytes[1] = 0xff;
  assert(v.whole == 0x0102ff04);
  return 0;
}
