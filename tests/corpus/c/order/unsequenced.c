//# expect: unknown(unsupported)
//# flags: --property evaluation-order expect: unsafe
// Two changes of one variable, and a change and a use of one, without an order (C11 6.5p2).
#include <assert.h>
int main(void) {
    int i = 1;
    int a[4] = { 0 };
    if (a[0] == 0) {
        int j = i++ + i; // FAILS
        a[1] = j;
    }
    assert(i == 2);
    return 0;
}
