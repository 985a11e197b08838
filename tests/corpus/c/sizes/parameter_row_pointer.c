//# expect: unsafe
// A pointer to rows: their length is computed once, with its effect.
#include <assert.h>
static int last;
static int width(int n, int (*m)[n++]) {
    last = n;
    return (int)(sizeof *m / sizeof(int)) + (m == 0);
}
int main(void) {
    int w = width(4, 0);
    assert(w == 5);
    assert(last == 5);
    assert(last == 6); // FAILS
    return 0;
}
