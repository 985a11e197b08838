//# expect: safe
// A choice within an operand whose other parts do not matter.
#include <assert.h>
static int g, h;
static int inc(void) { return ++g; }
static int dec(void) { return --g; }
static int other(void) { return ++h; }
int main(void) {
    int r = (inc() + dec()) * 2 + other();
    // inc first: 1 + 0; dec first: -1 + 0.
    assert(r == 3 || r == -1);
    assert(g == 0 && h == 1);
    return 0;
}
