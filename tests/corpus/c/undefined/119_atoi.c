//# expect: safe
//# flags: --property no-overflow expect: unsafe 8
// C11 7.22.1: the number does not fit.
extern int __VERIFIER_nondet_int(void);

#include <stdlib.h>
int main(void) {
  return atoi("99999999999");
}
