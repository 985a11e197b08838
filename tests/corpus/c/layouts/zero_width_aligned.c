//# expect: rejected(E0601 5)
// What an attribute says of a bit-field without a name is refused: gcc has `b` at the offset 16 here.
#include <assert.h>
#include <stddef.h>
struct asked { char a; int : 0 __attribute__((aligned(16))); char b; };
int main(void) {
    struct asked s;
    assert((char *)&s.b - (char *)&s == 16);
    return 0;
}
