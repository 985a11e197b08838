/* The implementation forgets to change its state when an opened link is told that it was terminated. */
#define TAKES_BACK 0
#include "lcp.h"
