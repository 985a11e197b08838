//# expect: safe
//# assumes: without an order
//# flags: --property evaluation-order expect: unknown(unsupported)
// The change depends on a condition: behavior is undefined only where it holds.
#include <assert.h>
int main(void) {
    int i = 1, c = 0;
    int j = (c ? i++ : 5) + i;
    assert(j == 6);
    i = c && i++;
    assert(i == 0);
    return 0;
}
