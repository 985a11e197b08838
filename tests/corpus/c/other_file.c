//# expect: safe
//# assumes: variables of other files contain anything at first, but no pointers to objects of the program, and only the program changes them: other
#include <assert.h>
extern int *other;
int g;
int main(void) { int *p = other; g = 1; if (p) *p = 2; assert(g == 1); }
