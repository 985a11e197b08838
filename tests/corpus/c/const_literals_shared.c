//# expect: unknown(unsupported)
// Compound literals of a type that is `const` may be one object (C11 6.5.2.5p7).
#include <assert.h>
int main(void) {
    const int *p = (const int[]){ 1, 2 };
    const int *q = (const int[]){ 1, 2 };
    assert(p[0] == q[0]);
    assert(p != q);
    return 0;
}
