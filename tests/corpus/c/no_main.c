//# expect: unsafe 15
//# flags: --entry put --entry get expect: safe
//# flags: --entry put --entry get --property no-overflow expect: safe
// A program without `main`: its functions are called in any order, from the initial state on.
#include <assert.h>

static unsigned count;
static int cells[4];

void put(int value) { if (count < 4) cells[count++] = value; }

int get(void) { assert(count <= 4); return count > 0 ? cells[--count] : 0; }

// Not in every state.
void check(void) { assert(count < 4); } // FAILS
