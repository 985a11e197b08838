//# expect: unsafe
// The length of a parameter is computed once, when the function is entered.
#include <assert.h>
static int calls;
static int bump(void) { calls++; return 2; }
static void g(int n, int m[bump()][n]) { (void)n; (void)m; }
int main(void) {
    int a[2][3] = { { 0 } };
    g(3, a);
    assert(calls == 1);
    g(3, a);
    assert(calls == 4); // FAILS
    return 0;
}
