//# expect: unknown(translation)
//# flags: --confirm never expect: unsafe
// The right operand may be evaluated before the left one ends the program.
#include <assert.h>
#include <stdlib.h>
static int leave(int x) { if (x) { exit(0); } return x; }
static int check(int x) {
    assert(x != 1); // FAILS
    return x;
}
int main(void) {
    return leave(1) + check(1);
}
