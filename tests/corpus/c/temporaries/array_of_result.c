//# expect: safe
//# flags: --property valid-deref expect: unsafe
// The array of a structure that a function returns lives until the full expression ends.
struct s { int a[2]; };
static struct s f(void) { struct s v = { { 1, 2 } }; return v; }
int main(void) {
    int *p = f().a;
    return *p; // FAILS
}
