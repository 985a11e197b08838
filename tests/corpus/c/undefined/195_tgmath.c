//# expect: rejected(E0602 3)
// C11 7.25: An argument of a type-generic macro does not fit.
#include <tgmath.h>
int main(void) {
  return 0;
}
