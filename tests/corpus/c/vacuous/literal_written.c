//# expect: safe
//# flags: --property assertions
//# warns: W0406
// Each trace writes to a string literal before it gets to the assertion.
#include <assert.h>
int main(void) {
  char *s = "abc";
  s[0] = 'x';
  assert(s[0] == 'y');
  return 0;
}
