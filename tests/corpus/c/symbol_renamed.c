//# expect: unknown(unsupported)
// Two declarations, one object: the assembler knows it by one name.
#include <assert.h>
extern int a asm("b");
int b = 3;
int main(void) { int x = a; b = 5; assert(a == x); }
