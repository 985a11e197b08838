//# expect: safe
// C11 6.5: An object is accessed as another type than it has.
#include <assert.h>
int main(void) {
  int i = 1;
  short *p = (short *)&i;
  assert(*p == 1);
  return 0;
}
