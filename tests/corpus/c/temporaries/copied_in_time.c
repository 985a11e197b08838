//# expect: safe
//# flags: --property valid-deref
#include <assert.h>
#include <string.h>
struct s { char text[8]; };
static struct s f(const char *t) { struct s v; strncpy(v.text, t, 8); return v; }
int main(void) {
    char copy[8];
    memcpy(copy, f("abc").text, 8);
    assert(copy[0] == 'a' && copy[3] == 0);
    assert(f("xyz").text[1] == 'y');
    return 0;
}
