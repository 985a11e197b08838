//# expect: safe
//# flags: --property valid-memsafety expect: unsafe 11
//# flags: --property valid-deref expect: unsafe 11
//# flags: --property valid-free expect: safe
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int *a = malloc(4 * sizeof *a);
  int i = __VERIFIER_nondet_int();
  if (i >= 0 && i <= 4) a[i] = 1;
  free(a);
  return 0;
}
