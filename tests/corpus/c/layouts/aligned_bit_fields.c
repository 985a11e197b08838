//# expect: safe
#include <assert.h>
struct free { char c; int f : 5 __attribute__((aligned(8))); };
#pragma pack(push, 2)
struct capped { char c; int f : 5 __attribute__((aligned(8))); };
#pragma pack(pop)
struct packed { char c; int f : 5 __attribute__((aligned(4))); int g : 30; } __attribute__((packed));
int main(void) {
    assert(sizeof(struct free) == 16 && _Alignof(struct free) == 8);
    assert(sizeof(struct capped) == 4 && _Alignof(struct capped) == 2);
    struct packed p = { 0, -1, 0 };
    assert(sizeof p == 12 && _Alignof(struct packed) == 4);
    assert((((unsigned char *)&p)[4] & 31) == 31);
    return 0;
}
