//# expect: rejected(E0602 3)
// C11 7.30.1: The argument of `iswalpha` is no wide character.
#include <wctype.h>
int main(void) {
  return 0;
}
