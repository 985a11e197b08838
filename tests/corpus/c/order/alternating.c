//# expect: unknown(unsupported)
//# flags: --assume evaluation-order expect: safe
// Between two calls of one operand, the other operand may be evaluated.
#include <assert.h>
static int n;
static int next(void) { return n++; }
int main(void) {
    int r = (next() * 100 + next() * 10) + next();
    assert(r >= 0);
    assert(n == 3);
    return 0;
}
