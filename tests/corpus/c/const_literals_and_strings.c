//# expect: unknown(unsupported)
#include <assert.h>
int main(void) {
    const char *p = (const char[]){ "abc" };
    assert(p != "abc");
    return 0;
}
