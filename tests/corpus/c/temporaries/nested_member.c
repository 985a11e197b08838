//# expect: safe
//# flags: --property valid-deref expect: unsafe
struct in { int a[2]; };
struct out { int k; struct in in; };
static struct out f(void) { struct out v = { 0, { { 3, 4 } } }; return v; }
static int g(int *p) {
    return *p; // FAILS
}
int main(void) {
    int ok = g(f().in.a);
    int *q;
    q = ok ? f().in.a + 1 : 0;
    return g(q);
}
