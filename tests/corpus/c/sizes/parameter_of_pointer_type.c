//# expect: safe
// An array of constant length, and one of the length of a global: nothing is computed twice, nothing lost.
#include <assert.h>
static int width = 3, asked;
static int ask(void) { asked++; return width; }
static int first(int plain[5], int rows[][ask()], const char *(*names)[ask() + 1]) {
    return plain[0] + (int)(sizeof rows[0] / sizeof(int)) + (int)(sizeof *names / sizeof(char *));
}
int main(void) {
    int p[5] = { 7 };
    int r[1][3];
    assert(first(p, r, 0) == 7 + 3 + 4);
    assert(asked == 2);
    return 0;
}
