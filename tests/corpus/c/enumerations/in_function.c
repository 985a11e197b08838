//# expect: unsafe
#include <assert.h>
enum mode *current;
static enum mode *get(void) { return current; }
enum mode { OFF = -2, ON = 7 };
int main(void) {
    enum mode m = OFF;
    current = &m;
    int v = *get() / 2;
    assert(v == -1);
    assert(*get() > 0u - 3u || *get() < 0);
    assert(*get() == ON); // FAILS
    return 0;
}
