//# expect: unsafe
#include <assert.h>
int x = 5;
static int f(int *p) {
    int x = 7;
    *p = *p + 1;
    return *p + x;
}
int main(void) {
    int r = f(&x);
    assert(r == 14); // FAILS
    return 0;
}
