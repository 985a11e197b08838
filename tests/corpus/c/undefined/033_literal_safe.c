//# expect: safe
//# flags: --property valid-deref expect: safe
// C11 6.4.5: Not so here: A string literal is modified.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  char s[] = "a", *p = __VERIFIER_nondet_int() ? s : s + 1;
  *p = 'b';
  assert(s[0] == 'b' || s[1] == 'b');
  return 0;
}
