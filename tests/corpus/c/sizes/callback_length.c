//# expect: safe
// The lengths in the prototype of a parameter are not computed.
#include <assert.h>
static int calls;
static int bump(void) { return ++calls; }
static int use(int (*f)(int n, int a[bump()]), int n) { return f(n, 0); }
static int twice(int n, int a[]) { return a == 0 ? 2 * n : n; }
int main(void) {
    assert(use(twice, 4) == 8);
    assert(calls == 0);
    return 0;
}
