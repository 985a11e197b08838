//# expect: safe
// A bit-field of width zero moves what comes after it to its alignment, or to one that is asked for, and does not
// align the structure (x86-64).
#include <assert.h>
#include <stddef.h>
struct plain { char a; int : 0; char b; };
struct spaced { char a; int : 0 /* a long comment between it and the semicolon */ ; char b; };
struct named { char a; int x : 3 __attribute__((aligned(8))); long : 0; int b : 2; };
struct asked { char a; __attribute__((aligned(16))) int : 0; char b; };
int main(void) {
    assert(offsetof(struct plain, b) == 4 && sizeof(struct plain) == 5);
    assert(offsetof(struct spaced, b) == 4 && sizeof(struct spaced) == 5);
    assert(sizeof(struct named) == 24 && _Alignof(struct named) == 8);
    assert(offsetof(struct asked, b) == 16 && sizeof(struct asked) == 17 && _Alignof(struct asked) == 1);
    return 0;
}
