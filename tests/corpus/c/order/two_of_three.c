//# expect: unsafe
// Of three arguments, two conflict.
#include <assert.h>
static int g = 1;
static int set(int v) { g = v; return v; }
static int sum(int a, int b, int c) { return 100 * a + 10 * b + c; }
int main(void) {
    int s = sum(set(4), 2, g);
    assert(s == 421 || s == 424);
    assert(s == 424); // FAILS
    return 0;
}
