//# expect: safe
// `#pragma pack` decides where members lie.
#include <assert.h>
#pragma pack(push)
#pragma pack(1)
struct tight { unsigned char first; unsigned int second; unsigned bits : 12; unsigned more : 20; };
#pragma pack(push, 2)
struct even { unsigned char first; unsigned int second; };
#pragma pack(pop)
union view { struct tight parts; unsigned char bytes[9]; };
#pragma pack(pop)
struct loose { unsigned char first; unsigned int second; };

int main(void) {
  assert(sizeof(struct tight) == 9 && sizeof(struct even) == 6 && sizeof(struct loose) == 8);
  union view v;
  v.bytes[1] = 0x78;
  v.bytes[2] = 0x56;
  v.bytes[3] = 0x34;
  v.bytes[4] = 0x12;
  assert(v.parts.second == 0x12345678);
  v.parts.bits = 0xabc;
  v.parts.more = 0xdef01;
  assert(v.bytes[5] == 0xbc && v.bytes[6] == 0x1a && v.bytes[8] == 0xde);
  return 0;
}
