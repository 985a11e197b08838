//# expect: unsafe 5
// A constructor can violate an assertion, and ends the run before `main`.
#include <assert.h>
int limit = 3;
__attribute__((constructor)) static void check(void) { assert(limit > 3); }
int main(void) { assert(limit == 3); }
