//# expect: safe
// The operand of `sizeof` is evaluated if its type is an array of variable length, not if it is a pointer to one.
#include <assert.h>
int main(void) {
    int n = 3, a[2][3] = { { 0 } };
    int (*p)[n] = a;
    unsigned long s = sizeof(p++);
    assert(p == a && s == sizeof(void *));
    s = sizeof(*p++);
    assert(p == a + 1 && s == 3 * sizeof(int));
    return 0;
}
