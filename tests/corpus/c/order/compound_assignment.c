//# expect: safe
// With respect to the call, the assignment is one action (C11 6.5.16.2p3).
#include <assert.h>
static int x = 1;
static int f(void) { x = 10; return 2; }
int main(void) {
    x += f();
    assert(x == 12);
    return 0;
}
