//# expect: safe
//# flags: --property valid-free expect: unsafe 13
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int *p = malloc(4);
  *p = 0;
  if (__VERIFIER_nondet_int()) {
    free(p);
  }
  // FAILS only for that property
  free(p);
  return 0;
}
