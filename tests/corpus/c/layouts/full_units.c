//# expect: safe
// A bit-field as wide as an integer of the machine counts as one for gcc where it is aligned so.
#include <assert.h>
typedef int wide __attribute__((aligned(16)));
typedef int loose __attribute__((aligned(1)));
struct a { int i; wide w : 32; };
struct b { loose l; loose h : 16; };
int main(void) {
    struct a a = { 0, -1 };
    assert(((unsigned char *)&a)[4] == 0xff);
    assert(sizeof(struct a) == 16);
    assert(_Alignof(struct b) == 2);
    return 0;
}
