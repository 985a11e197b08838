//# expect: unknown(unsupported)
// Initialisers are evaluated in any order (C11 6.7.9p23).
#include <assert.h>
static int n;
static int next(void) { return n++; }
int main(void) {
    int a[2] = { next(), next() };
    assert(a[0] == 0);
    return 0;
}
