//# expect: safe
//# assumes: functions without a body
// C11 6.9: A function that is called has no definition.
#include <assert.h>
extern int sensor(void);
int main(void) {
  int x = sensor();
  assert(x == x);
  return 0;
}
