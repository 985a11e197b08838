//# expect: safe
//# flags: --property uninitialised expect: safe
// What was written is noted for each: a local number has the name of a global array.
#include <assert.h>
short data[8] = { 1000, -1000 };
static void copy(unsigned char *out, short *in) {
    short data = 0;
    data = *in++;
    out[0] = data & 255;
}
static void both(short *data, unsigned char *coded) { copy(coded, data); }
int main(void) {
    unsigned char coded[8];
    both(data, coded);
    assert(coded[0] == 232);
    return 0;
}
