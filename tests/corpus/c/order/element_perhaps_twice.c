//# expect: safe
//# assumes: without an order
//# flags: --property evaluation-order expect: unknown(unsupported)
// Under a condition, it is not looked at exactly.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int a[2] = { 1, 2 };
    int i = __VERIFIER_nondet_int() != 0;
    a[i] = i ? a[0]++ : 7;
    assert(a[0] == 7 || a[1] == 1);
    return 0;
}
