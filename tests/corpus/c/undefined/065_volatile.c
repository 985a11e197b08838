//# expect: safe
//# assumes: volatile objects change only by the program
// C11 6.7.3: A volatile object is accessed as another one.
#include <assert.h>
int main(void) {
  volatile int x = 1;
  int *p = (int *)&x;
  assert(*p == 1);
  return 0;
}
