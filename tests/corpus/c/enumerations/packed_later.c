//# expect: safe
#include <assert.h>
struct s { enum small *p, *end; };
enum small { A = -3, B = 100 } __attribute__((packed));
static long count(struct s *s) { return s->end - s->p; }
int main(void) {
    enum small v[3] = { B, A, B };
    struct s s = { v, v + 3 };
    assert(sizeof *v == sizeof(enum small));
    assert(count(&s) == 3);
    assert(s.p[1] == -3);
    return 0;
}
