//# expect: unknown(unsupported)
// Which function is called may be found before its argument changes the pointer.
#include <assert.h>
static int one(int x) { return x; }
static int two(int x) { return 2 * x; }
static int (*chosen)(int) = one;
static int turn(void) { chosen = two; return 3; }
int main(void) {
    int r = chosen(turn());
    assert(r == 3);
    return 0;
}
