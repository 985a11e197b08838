//# expect: safe
// The enumeration of an inner block is another one.
#include <assert.h>
enum e *outer;
int main(void) {
    enum e { X = -5 };
    enum e x = X;
    assert(x < 0 && outer == 0);
    return 0;
}
enum e { Y = 1 };
