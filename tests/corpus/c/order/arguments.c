//# expect: unsafe
//# assumes not: left to right
// Which argument is evaluated first is open (C11 6.5.2.2p10).
#include <assert.h>
static int count;
static int up(void) { return ++count; }
static int pair(int a, int b) { return 10 * a + b; }
int main(void) {
    int p = pair(up(), up());
    assert(p == 12 || p == 21);
    assert(count == 2);
    assert(p == 12); // FAILS
    return 0;
}
