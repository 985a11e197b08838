//# expect: safe
#include <assert.h>
static int is_null(enum never *p) { return p == 0; }
int main(void) {
    int i = 0;
    assert(is_null(0));
    assert(!is_null((enum never *)&i));
    return 0;
}
