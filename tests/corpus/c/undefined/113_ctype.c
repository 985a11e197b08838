//# expect: safe
// C11 7.4: The argument of isalpha or the like is no character.
extern int __VERIFIER_nondet_int(void);

#include <ctype.h>
int main(void) {
  int c = __VERIFIER_nondet_int();
  return isalpha(c);
}
