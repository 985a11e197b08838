//# expect: safe
//# flags: --property no-overflow expect: unsafe 8
// C11 7.8.2: The result of abs, div or atoi does not fit.
extern int __VERIFIER_nondet_int(void);

#include <stdlib.h>
int main(void) {
  return abs(__VERIFIER_nondet_int());
}
