//# expect: unsafe
//# warns: W0605
// A reserved name that nobody defines: the other branch is taken, and said so.
#include <assert.h>
#if __BOARD_WIDTH__ > 16
#define WIDTH 32
#else
#define WIDTH 16
#endif
int main(void) { assert(WIDTH == 32); } // FAILS
