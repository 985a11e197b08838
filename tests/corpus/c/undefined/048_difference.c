//# expect: safe
//# flags: --property pointer-difference expect: unsafe 8
//# assumes: pointers are subtracted from those into the same object only
// C11 6.5.6: Pointers into different objects are subtracted.
#include <assert.h>
int main(void) {
  int a, b;
  assert(&a - &b == 1);
  return 0;
}
