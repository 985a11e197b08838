//# expect: rejected(E0602 4)
// Whether the system has a header that does not come along is not known.
#include <assert.h>
#if __has_include(<locale.h>)
#define LOCALE 1
#else
#define LOCALE 0
#endif
int main(void) { assert(LOCALE == 0); }
