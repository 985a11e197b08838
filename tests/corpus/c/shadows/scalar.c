//# expect: safe
// A local variable with the name of a global one whose address is taken.
#include <assert.h>
int x = 5;
static int f(int *p) {
    int x = 7;
    *p = *p + 1;
    return *p + x;
}
int main(void) {
    int r = f(&x);
    assert(r == 13);
    assert(x == 6);
    return 0;
}
