//# expect: unsafe
// `p` may be read before `f` changes it, or afterwards.
#include <assert.h>
static int p = 3;
static int f(int i) { p = 5; return i; }
int main(void) {
    int r = f(6) + 15 / p;
    assert(r == 9); // FAILS
    return 0;
}
