//# expect: unknown(unsupported)
#pragma redefine_extname old new
#include <assert.h>
int old(void);
int new(void) { return 1; }
int main(void) { int x = old(); assert(x == 2 || x != 2 && 0); }
