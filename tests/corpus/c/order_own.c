//# expect: unknown(unsupported)
// An assignment is not ordered with the side effects of its own right side (C11 6.5.16p3).
#include <assert.h>
int main(void) { int i = 1; i = i++; assert(i == 1 || i == 2); }
