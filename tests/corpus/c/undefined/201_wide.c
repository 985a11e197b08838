//# expect: unknown(unsupported)
// C11 7.30.1: The argument of `iswalpha` is no wide character.
#include <wctype.h>
int main(void) {
  return iswalpha((wint_t)-2);
}
