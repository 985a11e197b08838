//# expect: safe
// Pointers and structures; in the second function it is a block inside of another one.
#include <assert.h>
struct pair { int a; int *b; };
int one = 1, two = 2;
struct pair s = { 3, &one };
int *q = &two;
static int **address(void) { return &q; }
static int f(struct pair *p) {
    struct pair s = { 30, &two };
    p->a++;
    return p->a + s.a + *p->b + *s.b;
}
static int g(int **p) {
    int *q = &one;
    { int *q = *p; *q += 10; }
    return *q + **p;
}
int main(void) {
    assert(f(&s) == 4 + 30 + 1 + 2);
    assert(s.a == 4);
    assert(g(address()) == 1 + 12);
    return 0;
}
