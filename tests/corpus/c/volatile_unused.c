//# expect: safe
//# assumes not: volatile
#include <assert.h>
volatile int v;
static int unused(void) { return v; }
int main(void) { int a = 1; assert(a == 1); }
