//# expect: safe
//# flags: --property valid-deref
// The result of a call goes to a variable at once: the place that was made for it is no object.
#include <assert.h>
struct number {
    union { int whole; unsigned bits; };
    union { struct { short low, high; } parts; int both; };
};
static struct number make(const struct number *from) {
    struct number n;
    if (!from) {
        n.whole = 0;
        n.both = 0;
        return n;
    }
    n = *from;
    n.whole++;
    return n;
}
union either { int i; short s[2]; };
static union either swap(union either e) {
    short t = e.s[0];
    e.s[0] = e.s[1];
    e.s[1] = t;
    return e;
}
int main(void) {
    struct number a = { { 1 }, { { 2, 3 } } };
    struct number b = make(&a);
    union either e = { .s = { 1, 2 } };
    e = swap(swap(e));
    assert(b.whole == 2 && b.bits == 2);
    assert(b.parts.high == 3);
    assert(e.s[0] == 1);
    return make(&b).whole - 3;
}
