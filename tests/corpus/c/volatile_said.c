//# expect: safe
//# assumes: volatile objects change only by the program
// A volatile object may change in ways that nobody knows (C11 6.7.3): the verdict rests on that it does not.
#include <assert.h>
volatile int v;
int main(void) { int a = v, b = v; assert(a == b); }
