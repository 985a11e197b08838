//# expect: safe
//# flags: --property evaluation-order expect: safe
// A comma, a call and a condition are sequence points.
#include <assert.h>
static int same(int k) { return k; }
int main(void) {
    int a[2] = { 1, 2 };
    a[0] = (a[0]++, a[0] + 1);
    assert(a[0] == 3);
    a[0] = same(a[0]++);
    assert(a[0] == 3);
    a[0] = a[0]++ && a[1];
    assert(a[0] == 1);
    return 0;
}
