//# expect: safe
//# flags: --property pointer-difference expect: safe
// C11 6.5.6: Not so here: Pointers into different objects are subtracted.
#include <assert.h>
int main(void) {
  int a[3];
  assert(&a[2] - &a[0] == 2);
  return 0;
}
