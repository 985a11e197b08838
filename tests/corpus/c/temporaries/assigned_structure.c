//# expect: safe
//# flags: --property valid-deref expect: unsafe
// The value of an assignment is no object that lasts.
struct s { char name[4]; };
int main(void) {
    struct s x, y = { "abc" };
    char *p = (x = y).name;
    return p[0]; // FAILS
}
