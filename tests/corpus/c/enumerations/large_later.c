//# expect: safe
#include <assert.h>
typedef enum big *reference;
extern int look(enum big *b);
struct node { reference r; struct node *next; };
enum big { SMALL, HUGE_ONE = 0x100000000 };
int look(enum big *b) { return *b == HUGE_ONE; }
int main(void) {
    enum big v[2] = { SMALL, HUGE_ONE };
    struct node n = { v, 0 };
    assert(sizeof *n.r == 8);
    assert(look(n.r + 1));
    assert((char *)(n.r + 1) - (char *)n.r == 8);
    return 0;
}
