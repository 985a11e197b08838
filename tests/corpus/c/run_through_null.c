//# expect: safe
// Nothing is said of runs that do something undefined before: see what is assumed.
#include <assert.h>

int main(void) {
  int *p = 0;
  *p = 1;
  assert(0);
  return 0;
}
