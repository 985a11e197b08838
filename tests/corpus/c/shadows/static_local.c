//# expect: safe
// Two static variables of functions and a local one, all with one name.
#include <assert.h>
static int *first(void) { static int n = 1; return &n; }
static int *second(void) { static int n = 100; return &n; }
static int third(int *p, int *q) { int n = 1000; *p += 1; *q += 1; return n + *p + *q; }
int main(void) {
    assert(third(first(), second()) == 1103);
    assert(*first() == 2 && *second() == 101);
    return 0;
}
