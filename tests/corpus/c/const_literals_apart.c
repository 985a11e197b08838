//# expect: safe
// Others are objects of their own, also where they have pointers to what is `const`.
#include <assert.h>
int main(void) {
    int *p = (int[]){ 1, 2 }, *q = (int[]){ 1, 2 };
    const char **r = (const char *[]){ "a" }, **s = (const char *[]){ "a" };
    assert(p != q && r != s);
    *p = 3;
    *r = "b";
    assert(*q == 1 && **s == 'a');
    return 0;
}
