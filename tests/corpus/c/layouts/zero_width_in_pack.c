//# expect: safe
// A bit-field of no width goes to the next unit of its type, whatever `#pragma pack` says.
#include <assert.h>
#include <stddef.h>
#pragma pack(push, 1)
struct a { char c; int : 0; char d; };
struct b { unsigned f : 3; long long : 0; unsigned g : 3; };
#pragma pack(pop)
struct c { char c; int : 0; char d; } __attribute__((packed));
int main(void) {
    assert(offsetof(struct a, d) == 4 && sizeof(struct a) == 5);
    assert(sizeof(struct b) == 9);
    assert(offsetof(struct c, d) == 4);
    struct b v = { 1, 7 };
    assert((((unsigned char *)&v)[8] & 7) == 7);
    return 0;
}
