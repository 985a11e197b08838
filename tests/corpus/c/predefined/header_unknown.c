//# expect: rejected(E0602 4)
// Whether the system has a header that does not come along is not known.
#include <assert.h>
#if __has_include(<glob.h>)
#define GLOB 1
#else
#define GLOB 0
#endif
int main(void) { assert(GLOB == 0); }
