//# expect: safe
//# flags: --property valid-deref
// Within the full expression the array lives, in each round anew.
#include <assert.h>
struct s { int a[3]; };
static struct s f(int n) { struct s v = { { n, n + 1, n + 2 } }; return v; }
static int sum(const int *p) { return p[0] + p[1] + p[2]; }
int main(void) {
    for (int i = 0; i < 3; i++) {
        assert(sum(f(i).a) == 3 * i + 3);
        if (f(i).a[1] != i + 1) {
            assert(0);
        }
    }
    return sum(f(1).a) - 6;
}
