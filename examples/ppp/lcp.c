//# expect: safe
// The implementation does what the specification says.
#define TAKES_BACK 1
#include "lcp.h"

static void differs(void)
{
    reach_error();
}
