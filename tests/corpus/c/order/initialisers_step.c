//# expect: unknown(unsupported)
//# flags: --property evaluation-order expect: unknown(unsupported)
// The order is not said, but behavior is defined.
#include <assert.h>
int main(void) {
    int i = 0;
    int a[2] = { i++, i };
    assert(a[0] == 0 && a[1] <= 1);
    assert(a[1] == 1);
    return 0;
}
