//# expect: unsafe
#include <assert.h>
static int calls;
static int f(void) { calls++; return 3; }
int main(void) {
    unsigned a = __alignof__(int[f()]) + _Alignof(long[f()]);
    _Alignas(int[f()]) char aligned = 1;
    assert(a > 0 && aligned == 1);
    assert(calls == 0);
    unsigned b = sizeof(int[f()]);
    assert(b == 3 * sizeof(int));
    assert(calls == 0); // FAILS
    return 0;
}
