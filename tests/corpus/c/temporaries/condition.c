//# expect: safe
//# flags: --property valid-deref expect: unsafe
struct s { int n; int a[2]; };
static struct s f(void) { struct s v = { 1, { 1, 2 } }; return v; }
int main(void) {
    int *p = 0, i = 0;
    while ((p = f().a)[0] == 1 && i < 2) {
        i++;
    }
    if (p) {
        return p[1]; // FAILS
    }
    return 0;
}
