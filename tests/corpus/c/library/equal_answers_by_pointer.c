//# expect: safe
// The same where the function is called by its address.
#include <assert.h>
#include <ctype.h>
int (*kind)(int) = isupper;
int main(void) {
  assert(kind('A') == kind('A') && kind('A') != 0);
  assert(kind('a') == 0);
  return 0;
}
