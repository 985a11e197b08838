//# expect: safe
// Equal arguments, equal answers: kinds of characters.
#include <assert.h>
#include <ctype.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int c = (unsigned char)__VERIFIER_nondet_int();
  int once = isalpha(c);
  assert(isalpha(c) == once);
  assert(isspace(' ') == isspace(' '));
  assert(tolower(c) == tolower(c));
  return 0;
}
