//# expect: unsafe
// What is written to a field that straddles is read back, and its neighbors keep their values.
#include <assert.h>
#pragma pack(push, 1)
struct s { unsigned long long a : 5; unsigned long long b : 62; unsigned long long c : 61; };
union u { struct s s; unsigned char bytes[16]; };
#pragma pack(pop)
int main(void) {
    union u u = { { 0, 0, 0 } };
    u.s.a = 21;
    u.s.c = 3;
    u.s.b = 0x3fffffffffffffffull;
    assert(sizeof u == 16);
    assert(u.s.a == 21 && u.s.c == 3);
    assert(u.bytes[0] == 0xf5);
    assert(u.bytes[8] == 0x07); // FAILS
    return 0;
}
