//# expect: unsafe
// Which object is assigned to may be found before or after the call.
#include <assert.h>
static int i;
static int next(void) { i = 1; return 7; }
int main(void) {
    int a[2] = { 0, 0 };
    a[i] = next();
    assert(a[0] + a[1] == 7);
    assert(a[0] == 7); // FAILS
    return 0;
}
