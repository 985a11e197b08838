//# expect: unsafe
//# assumes not: left to right
// C leaves open which operand is evaluated first (C11 6.5): the assertion holds in one order only.
#include <assert.h>
int g;
int f(void) { g = 5; return 1; }
int main(void) { assert(g + f() == 1); } // FAILS
