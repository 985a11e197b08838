//# expect: unsafe
// An enumeration is used before its definition: it has negative values.
#include <assert.h>
struct s { enum level *p; };
enum level { LOW = -1, HIGH };
int main(void) {
    enum level l = LOW;
    struct s s = { &l };
    assert(*s.p < 0);
    *s.p = HIGH;
    assert(l == 0);
    assert(*s.p < 0); // FAILS
    return 0;
}
