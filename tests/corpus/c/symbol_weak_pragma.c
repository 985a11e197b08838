//# expect: unknown(unsupported)
#pragma weak function
#include <assert.h>
extern void function(void);
int main(void) { assert(function != 0); }
