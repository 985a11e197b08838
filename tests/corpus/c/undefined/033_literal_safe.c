//# expect: safe
//# flags: --property valid-deref expect: safe
// C11 6.4.5: Not so here: A string literal is modified.
#include <assert.h>
int main(void) {
  char s[] = "a";
  s[0] = 'b';
  assert(s[0] == 'b');
  return 0;
}
