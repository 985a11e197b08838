//# expect: unknown(unsupported)
// C does not say whether `f` is called (6.7.6.2p5).
#include <assert.h>
static int calls;
static int f(void) { calls++; return 3; }
int main(void) {
    unsigned long s = sizeof(int (*)[f()]);
    assert(s > 0 && calls == 0);
    return 0;
}
