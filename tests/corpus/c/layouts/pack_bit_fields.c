//# expect: safe
//# flags: --data-model ilp32
// Packed bit-fields reach over the borders of bytes and of their types.
#include <assert.h>
#include <stdint.h>
#include <string.h>
#pragma pack(push, 1)
struct three { uint8_t a : 3; uint8_t b : 7; uint8_t c : 6; };
struct header { unsigned type : 4; unsigned addr : 32; unsigned char last; };
#pragma pack(pop)
int main(void) {
    struct three t = { 5, 0x55, 0x2a };
    unsigned char bytes[2];
    assert(sizeof t == 2);
    memcpy(bytes, &t, 2);
    assert(bytes[0] == (5 | (0x55 & 31) << 3));
    assert(bytes[1] == (0x55 >> 5 | 0x2a << 2));
    struct header h = { 0xf, 0x12345678u, 0xee };
    assert(sizeof h == 6);
    unsigned char *p = (unsigned char *)&h;
    assert(p[0] == 0x8f && p[1] == 0x67 && (p[4] & 15) == 0x01 && p[5] == 0xee);
    return 0;
}
