//# expect: unsafe
#include <assert.h>
#include <stddef.h>
#pragma pack(2)
struct s { char c; int f : 20; int g : 15; char last; };
#pragma pack()
int main(void) {
    assert(sizeof(struct s) == 8);
    assert(_Alignof(struct s) == 2);
    assert(offsetof(struct s, last) == 6);
    struct s v = { 1, -1, 0, 2 };
    unsigned char *p = (unsigned char *)&v;
    assert(p[1] == 0xff && p[2] == 0xff);
    assert(p[3] == 0xff); // FAILS
    return 0;
}
