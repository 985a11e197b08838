//# expect: safe
// A typedef computes its length where it is declared, in each round again.
#include <assert.h>
int main(void) {
    int n = 2, rounds;
    for (rounds = 0; rounds < 2; rounds++) {
        typedef int row[n++];
        row a;
        row *p = &a;
        assert(sizeof a == (unsigned)(rounds + 2) * sizeof(int));
        assert(sizeof(row) == sizeof *p);
    }
    assert(n == 4);
    return 0;
}
