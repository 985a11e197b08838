//# expect: safe
//# flags: --property no-overflow
// C11 7.8.2: Not so here: The result of abs, div or atoi does not fit.
extern int __VERIFIER_nondet_int(void);

#include <stdlib.h>
#include <limits.h>
int main(void) {
  int x = __VERIFIER_nondet_int();
  return x > INT_MIN ? abs(x) : 0;
}
