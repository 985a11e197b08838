//# expect: unsafe
//# flags: --property valid-deref expect: safe
// C11 6.4.5: Not so here: a string literal is modified.
#include <assert.h>
int main(void) {
  char s[] = "a";
  s[0] = 'b';
  assert(s[0] == 'a');
  return 0;
}
