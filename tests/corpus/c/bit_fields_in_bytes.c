//# expect: safe
// Bit-fields in memory that is also used as bytes: their neighbours stay as they are (C11 6.7.2.1).
#include <assert.h>
union view {
  struct { unsigned low : 3; int middle : 7; unsigned high : 14; } s;
  unsigned char bytes[4];
  unsigned whole;
};

int main(void) {
  union view v;
  v.whole = 0xffffffffu;
  v.s.middle = -33;
  assert(v.whole == 0xfffffeffu);
  v.bytes[1] = 0x5a;
  assert(v.s.low == 7 && v.s.middle == -33 + 0 * v.s.low);
  v.s.low = 2;
  assert(v.bytes[0] == 0xfa && v.bytes[1] == 0x5a);
  assert(v.s.high == 0x3fd6);
  return 0;
}
