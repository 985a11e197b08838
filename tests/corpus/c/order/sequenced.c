//# expect: safe
//# flags: --property evaluation-order expect: safe
//# assumes not: without an order
// Sequence points, different variables, and functions that change nothing.
#include <assert.h>
static int square(int x) { int y = x; y *= x; return y; }
int main(void) {
    int i = 1, j = 2, k;
    k = (i++, i) + j++;
    assert(k == 4 && j == 3);
    k = i++ && i == 3;
    assert(k);
    k = square(i) + square(j);
    assert(k == 18);
    int a[3] = { 1, 2, 3 }, *p = a, *q = a + 1;
    *p++ = *q++;
    assert(a[0] == 2 && p == a + 1);
    return 0;
}
