//# expect: safe
//# assumes: without an order
//# flags: --property evaluation-order expect: unknown(unsupported)
// Whether both operands use one element depends on the indices.
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    int a[4] = { 1, 1, 1, 1 };
    unsigned i = __VERIFIER_nondet_uint() % 4, j = __VERIFIER_nondet_uint() % 4;
    int s = a[i]++ + a[j];
    assert(s >= 2);
    return 0;
}
