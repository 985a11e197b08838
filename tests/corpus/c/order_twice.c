//# expect: unknown(unsupported)
// Two side effects on one variable without an order between them are undefined (C11 6.5p2).
#include <assert.h>
int main(void) { int i = 1; i = i++ + i++; assert(i > 0); }
