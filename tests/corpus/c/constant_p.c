//# expect: safe
#include <assert.h>
static int f(void) { return 1; }
int main(void) {
    int i = 0;
    assert(__builtin_constant_p("abc") == 1);
    assert(__builtin_constant_p(L"abc") == 1);
    assert(__builtin_constant_p(&"abc"[0]) == 1);
    assert(__builtin_constant_p((void *)0) == 1);
    assert(__builtin_constant_p(3.5) == 1);
    assert(__builtin_constant_p((f(), 3)) == 0);
    assert(__builtin_constant_p(i++) == 0);
    assert(__builtin_constant_p(&i) == 0);
    assert(__builtin_constant_p("abc" + 1) == 0);
    assert(i == 0);
    return 0;
}
