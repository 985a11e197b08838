//# expect: rejected(E0607 7)
// An assertion in a comment within the arguments of a macro may be changed by it.
#include <stdlib.h>
#define TWICE(s) s s
int main(void) {
  int x = 5;
  TWICE(x++; //@ assert x < 6;
  )
}
