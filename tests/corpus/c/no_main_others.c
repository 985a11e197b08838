//# expect: safe
//# assumes: no other function is called from outside, and nothing else changes variables
#include <assert.h>
static int n;
int set(void) { n = 1; return n; }
void entry(void) { set(); assert(n == 1); }
