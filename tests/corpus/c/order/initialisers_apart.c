//# expect: safe
#include <assert.h>
static int square(int x) { int y = x * x; return y; }
struct p { int x, y; const char *name; };
int main(void) {
    int i = 2;
    struct p p = { square(3), square(i), "p" };
    int a[] = { square(1), 7, square(2) };
    struct p q = { .y = i++, .name = p.name };
    assert(p.x == 9 && p.y == 4 && a[2] == 4 && q.y == 2 && i == 3);
    return 0;
}
