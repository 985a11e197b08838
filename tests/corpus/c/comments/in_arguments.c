//# expect: safe
// Comments in arguments of macros are white space, where they are counted, stringized or asked for.
#include <assert.h>
#define STR(x) #x
#define COUNT(...) SECOND(__VA_ARGS__ __VA_OPT__(,) 1, 0)
#define SECOND(a, b, ...) b
#define EMPTY(...) (0 __VA_OPT__(+ 1))
#define PASTE(a, b) a##b
int main(void) {
  int xy = 7;
  assert(sizeof(STR(a /* first */)) == 2);
  assert(sizeof(STR(a /* x */ b)) == 4);
  assert(EMPTY(/* nothing */) == 0 && EMPTY(/* one */ 1) == 1);
  assert(PASTE(x /* left */, /* right */ y) == 7);
}
