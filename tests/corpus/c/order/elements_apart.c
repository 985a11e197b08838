//# expect: safe
//# flags: --property evaluation-order expect: safe
// What the right side changes is another object.
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
struct counter { int low; int high; };
static void move(struct counter *to, struct counter *from) { to->low = from->low--; }
static void turn(struct counter *p) { p->high = p->low++; }
static void copy(char *to, const char *from) { while ((*to++ = *from++)); }
static int order[4], count;
int main(void) {
    unsigned i = __VERIFIER_nondet_uint() % 4, j = __VERIFIER_nondet_uint() % 4;
    int a[4] = { 1, 2, 3, 4 }, b[2][2] = { { 1, 2 }, { 3, 4 } };
    if (i != j) a[i] = a[j]++;
    b[0][i % 2] = b[1][j % 2]--;
    struct counter x = { 1, 2 }, y = { 3, 4 };
    move(&x, &y);
    turn(&x);
    assert(x.low == 4 && x.high == 3 && y.low == 2);
    char text[4];
    copy(text, "abc");
    assert(text[3] == 0);
    order[i] = ++count;
    a[j] = order[j] += 2;
    assert(a[j] >= 2);
    return 0;
}
