//# expect: safe
//# flags: --property valid-deref expect: unsafe 7
// C11 6.4.5: A string literal is modified.
#include <assert.h>
int main(void) {
  char *s = "a";
  s[0] = 'b';
  assert(0);
  return 0;
}
