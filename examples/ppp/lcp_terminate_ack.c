//# expect: unsafe
// The implementation forgets to change its state when the other side of an opened link says that it was terminated.
#define TAKES_BACK 0
#include "lcp.h"

static void differs(void)
{
    reach_error(); // FAILS
}
