//# expect: safe
// Either order gives the same: both are covered.
#include <assert.h>
static int total, calls;
static int add(int n) { total += n; calls++; return n; }
int main(void) {
    int s = add(3) + add(4);
    assert(s == 7 && total == 7 && calls == 2);
    int a[2] = { 0 };
    a[add(1)] = add(5);
    assert(a[1] == 5 && total == 13);
    return 0;
}
