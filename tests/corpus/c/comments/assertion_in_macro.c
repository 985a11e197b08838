//# expect: rejected(E0607 4)
// An assertion in a comment in the text of a macro would be lost.
#include <stdlib.h>
#define ADD(x) do { x++; /*@ assert x < 3; */ } while (0)
int main(void) {
  int x = 5;
  ADD(x);
}
